/* The linker binds a call to the first in the scope of all, which is where a preloaded library stands before what it
   replaces; else to that of the caller's own scope. */
#define _GNU_SOURCE
#include "scope.h"

#include <dlfcn.h>
#include <stddef.h>

void* scope_of(const void* caller, const char* function) {
  if (dlsym(RTLD_NEXT, function) != NULL) return RTLD_NEXT;
  Dl_info info, own;
  if (dladdr(caller, &info) == 0) return NULL;
  /* The preloaded library's own scope has its own functions, which must not be called by way of themselves. */
  if (dladdr((const void*)scope_of, &own) != 0 && info.dli_fbase == own.dli_fbase) return NULL;
  void* const handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return handle != NULL && dlsym(handle, function) != NULL ? handle : NULL;
}
