"""Labs: experiments of one effect each, how they are shown, and the form of those that are written in Python."""
