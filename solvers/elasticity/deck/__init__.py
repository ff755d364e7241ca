"""Input decks of Abaqus and CalculiX: the mesh, the materials and the linear static step that they describe.

`cards` reads the lines, including those of included files; `reading` assigns the cards to the `model`; `problem`
computes the arrays for the solver. An unknown keyword that could change the model is an error that names it.

Sources: Abaqus Keywords Reference Guide; Dhondt, CalculiX CrunchiX User's Manual, version 2.20.
"""
