"""Card tables over time: Koi-Koi and the Kendo cards."""
