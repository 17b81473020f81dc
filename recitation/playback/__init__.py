"""Playing a plan aloud: timeline, player process, streams; and the microphone.

In: a plan and a voice. Out: sound, and the instant at which every sample is heard.
Open `reciter` first, then `player`.
"""
