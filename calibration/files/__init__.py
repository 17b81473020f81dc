"""Read what comes from people's disks and keyboards, and write what goes onto disks.

In: bytes as a person or another program left them. Out: values, or one sentence that names file and line.
Every package may use it; it uses only the standard library. Open `text` first, then `storage`.
"""
