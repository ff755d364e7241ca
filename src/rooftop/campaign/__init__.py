"""What all campaigns share: the machine's lock, the store, seed, resuming, stopping, the document."""
