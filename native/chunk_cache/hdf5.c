#define _GNU_SOURCE
#include "hdf5.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../preload/scope.h"

enum { PAGE_BITS = 12, OLDEST_MAJOR = 1, OLDEST_MINOR = 10 };

static struct hdf5* _Atomic all;

const struct hdf5* found_libraries(void) { return atomic_load(&all); }

static const struct hdf5* known(void* read) {
  for (const struct hdf5* one = atomic_load(&all); one != NULL; one = one->next) {
    if ((void*)one->H5Dread == read) return one;
  }
  return NULL;
}

/* Two threads may meet a library at once: both find the same, and the second one's is not used. */
static const struct hdf5* known_by(void* handle) {
  void* const read = dlsym(handle, "H5Dread");
  const struct hdf5* one = known(read);
  if (one != NULL) return one;
  struct hdf5* found = calloc(1, sizeof *found);
  if (found == NULL) return NULL;
  int lacking = 0;
#define FIND(result, name, parameters)          \
  *(void**)&found->name = dlsym(handle, #name); \
  lacking |= found->name == NULL;
  REPLACED_FUNCTIONS(FIND)
  CALLED_FUNCTIONS(FIND)
  found->default_file_access = dlsym(handle, "H5P_LST_FILE_ACCESS_ID_g");
  unsigned* const is = found->version;
  if (found->H5get_libversion == NULL || found->H5get_libversion(&is[0], &is[1], &is[2]) < 0) lacking = 1;
  const int recent = is[0] > OLDEST_MAJOR || (is[0] == OLDEST_MAJOR && is[1] >= OLDEST_MINOR);
  /* Lists have no number before the library is in use. */
  found->usable = recent && !lacking && found->default_file_access != NULL && found->H5open() >= 0;
  struct hdf5* first = atomic_load(&all);
  do {
    if ((one = known(read)) != NULL) {
      free(found);
      return one;
    }
    found->next = first;
  } while (!atomic_compare_exchange_weak(&all, &first, found));
  return found;
}

const struct hdf5* hdf5_of(const void* caller) {
  /* Of the last caller, by its page: an object has pages of its own, and is not unloaded once its scope was asked. */
  static _Thread_local struct {
    uintptr_t page;
    const struct hdf5* found;
  } last __attribute__((tls_model("initial-exec")));
  const uintptr_t page = (uintptr_t)caller >> PAGE_BITS;
  if (last.found != NULL && last.page == page) return last.found;
  const int error = errno;
  void* const handle = scope_of(caller, "H5Dread");
  const struct hdf5* const found = handle != NULL ? known_by(handle) : NULL;
  if (found == NULL) {
    fputs("rooftop: a call of HDF5 cannot be passed on: no library of it is in the caller's scope\n", stderr);
    abort();
  }
  last.page = page;
  last.found = found;
  errno = error;
  return found;
}
