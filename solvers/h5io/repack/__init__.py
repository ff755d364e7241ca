"""A file of the user's, rewritten with other chunks and filters, verified, and put in the old one's place at once."""
