"""Running a hall: the servers' configuration, certificates, tickets, backup and restore.

In: how many servers, where, and who takes part. Out: a folder from which `nats-server` runs.
Open `plan` first, then `server_file`.
"""
