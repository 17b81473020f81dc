"""The documentation site: pages that are generated from the code, and the hook by which MkDocs asks for them.

`hook` is what `mkdocs.yml` names. It adds a page for each command (`command_pages`), for the addresses of the
panel (`address_pages`), the rules with their sources (`rule_pages`) and the formats of logs (`format_pages`).
"""
