"""Random rounds of Koi-Koi on a simulated table, lawful but for one fault; open `table`."""
