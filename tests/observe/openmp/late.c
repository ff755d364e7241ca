/* Loads libraries that are given, each with an OpenMP library in a scope of its own, and calls `work` of each. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    void* library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      fputs(dlerror(), stderr);
      return 1;
    }
    long (*work)(void) = (long (*)(void))dlsym(library, "work");
    printf("%ld\n", work());
  }
  return 0;
}
