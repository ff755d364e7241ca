"""What all commands share at the terminal: options, output, progress, resuming."""
