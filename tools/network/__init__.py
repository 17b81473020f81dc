"""Small networks: how they learn, and how they are written down."""
