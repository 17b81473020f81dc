"""The officials' desk: engine, event log, command line, configuration and the web panel."""
