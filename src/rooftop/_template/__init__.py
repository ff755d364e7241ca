"""The folder of a kind of campaign to begin with: `template` times one command. CONTRIBUTING.md has the recipe."""
