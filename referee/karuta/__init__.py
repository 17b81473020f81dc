"""Kyogi karuta: judging a poem and the flow of a match.

`judge.judge_poem` rules on one reading: `contacts` says what each contact is, `taking` who takes, `faults`
who faulted, `sending` who sends, `order` what came first; `rulebook` holds the reasons, `ruleset` the house
rules. `match.step` runs a whole match: `opening`, then `reading` and `between` in turn, on `state` and by
`events`.
"""
