"""A campaign: several ladders climbed under one budget, stored as it goes, and made into one document."""
