"""C interfaces from Python: libraries loaded with ctypes, what they own, numbers and arrays on their way into them."""
