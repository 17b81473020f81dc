"""The pages around the matches: set-up, history and invitations of phones.

In: earlier matches, and what the camera sees of the next field. Out: the pages, and what people agreed.
Open `routes` first.
"""
