"""The `climb` campaign: measures several ladders within one budget and puts the results into one document."""
