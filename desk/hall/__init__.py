"""A hall: one reader and many mats, joined by NATS JetStream (the extra `hall`).

In: the log of each mat's match and the reader's voice. Out: every mat's events in order, the state of each
mat, and when each poem began to sound at each mat. Open `subjects` first, then `messages`.
"""
