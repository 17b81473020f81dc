"""`shinpan doctor`: whether this machine is ready; open `command`."""
