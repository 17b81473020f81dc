"""What comes from people's disks and keyboards, and what goes onto disks: text, JSON, files, typed numbers.

In: bytes as a person or some other program left them. Out: values, or one sentence that names file and line.
Every room may use it; it uses only the standard library. Begin with `text`, then `keeping`.
"""
