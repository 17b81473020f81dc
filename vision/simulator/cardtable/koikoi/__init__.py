"""Random rounds of Koi-Koi on a simulated table, lawful except for one fault; open `table`."""
