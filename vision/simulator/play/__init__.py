"""Events of one poem, with the truth about them.

In: dice and a layout. Out: an `Episode`: the path of every hand and card, and the truth. Open `episode`
first; `scenarios` lists what can happen.
"""
