"""From a plan to the air: timeline, player process, streams, microphone.

In: a plan and a voice. Out: sound, and the instant at which every sample is heard.
Open `reciter` first, then `player`.
"""
