"""What happens in one poem, and the truth of it.

In: dice and a layout. Out: an `Episode`: every hand's and card's way, and the truth.
Open `episode` first; `scenarios` lists what can happen.
"""
