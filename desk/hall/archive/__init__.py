"""An archive judged by several machines that share a work queue on JetStream.

In: folders of recordings that every machine can read. Out: results by key, each once, even if workers crash.
Open `queue` first, then `worker`.
"""
