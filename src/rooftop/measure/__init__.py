"""How the bench measures: the rules in one place, used by every command that times something."""
