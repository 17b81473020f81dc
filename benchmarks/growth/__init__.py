"""How cost grows: with what is filmed, who looks on, how long a match takes, how many are kept.

`__main__` measures curves into `figures.json`, beside the floor of the same run where there is one, and draws
them; `curves` names what they show, in the languages of the documentation, and `plots` draws.
"""
