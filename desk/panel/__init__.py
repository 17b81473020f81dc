"""The web panel: shows what the event log says and sends the officials' commands back."""
