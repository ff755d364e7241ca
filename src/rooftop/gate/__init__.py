"""Whether a change makes programs slower: both revisions built, measured in pairs, confirmed before it is said."""
