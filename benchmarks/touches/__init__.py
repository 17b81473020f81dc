"""Who touched which card when: how recordings are compared with their truth, and what changes the times."""
