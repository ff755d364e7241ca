/// A shared library, but no module.
int answer();
int answer() { return 42; }
