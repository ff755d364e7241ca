"""Files written at once or not at all, and told apart by their contents."""
