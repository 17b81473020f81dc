"""The desk's voice and ear, one command each."""
