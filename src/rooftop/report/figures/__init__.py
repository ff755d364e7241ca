"""The report's Plotly figures: one module per figure, and the style that they share."""
