"""Read which poem a card's face shows, and which way up it lies.

In: pictures of single cards. Out: numbers of poems with a confidence, each poem at most once; None in case of
doubt. Open `face_reader` first; `network` is the small net behind it, `prior_knowledge` what is known
beforehand.
"""
