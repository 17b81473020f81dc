"""The panel: how soon it shows what happened, and what those who look at it cost."""
