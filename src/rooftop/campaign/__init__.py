"""What all campaigns about commands share: the machine's lock, the store, seed, resuming, stopping, the document."""
