"""A ruling for people: its replay, film, JSON, and one line of text.

In: a ruling and the frames around it. Out: a bundle of pictures, an MP4 film, or text.
Open `replay` first.
"""
