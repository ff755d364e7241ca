"""Input decks of Abaqus and CalculiX: the mesh, the materials and the linear static step that they describe.

`cards` reads the lines, with the files that they include; `reading` takes the cards one by one; `model` has what they
describe; `problem` returns the arrays that are solved for. What would change the model and is not known is refused by
its keyword.

Sources: Abaqus Keywords Reference Guide; Dhondt, CalculiX CrunchiX User's Manual, version 2.20.
"""
