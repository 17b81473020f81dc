"""An archive judged by several machines: a work queue on JetStream, from which each takes what it can.

In: folders of recordings that every machine can read. Out: results by key, each once, whoever dies meanwhile.
Open `queue` first, then `worker`.
"""
