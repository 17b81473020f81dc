"""`shinpan hall`: one module per action; `command` is the table of them."""
