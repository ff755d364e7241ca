"""The figures that were asked for beside the figures reached: one page per experiment, written from its campaigns.

What is asked is data, ``experiments/NAME/targets.toml``; what is reached is read off the documents of climbs.
"""
