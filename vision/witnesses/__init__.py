"""Other witnesses of a poem: a second camera and a microphone.

In: another camera's frames, or the sound. Out: the facts of a poem with better instants or with doubts.
Open `joint_facts` for cameras, `impacts` and `hearing` for sound.
"""
