"""A whole match, live or filmed: layouts and poems.

In: frames and the starts of poems. Out: settled layouts, and every poem with its facts.
Open `watcher` first; `live_watcher` adds the gaps of a live source, `endurance` survives failures.
"""
