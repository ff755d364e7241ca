"""The report's Plotly figures: one module per figure, and their common style."""
