"""A hall on real `nats-server` processes of this machine."""
