"""Running a hall: the servers' configuration, certificates, tickets, backup and restore.

In: the number and hosts of the servers, and the users. Out: a folder from which `nats-server` runs.
Open `plan` first.
"""
