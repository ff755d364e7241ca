/* A dlsym that allocates, as that of older C libraries does: what it is given must be memory, and keep what it holds.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void use_allocator(void) {
  char* one = calloc(3, 7);
  char* other = malloc(9);
  if (one == NULL || other == NULL || one[20] != 0) abort();
  strcpy(one, "kept");
  memset(other, 'x', 9);
  one = realloc(one, 99);
  if (one == NULL || strcmp(one, "kept") != 0) abort();
  free(one);
  free(other);
}

void* dlsym(void* restrict handle, const char* restrict name) {
  static const char* const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
  void* (*next)(void*, const char*) = NULL;
  use_allocator();
  for (int i = 0; i < 3 && next == NULL; ++i) {
    next = (void* (*)(void*, const char*))dlvsym(RTLD_NEXT, "dlsym", versions[i]);
  }
  return next(handle, name);
}
