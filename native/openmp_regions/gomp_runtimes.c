/* Which libgomp a call is meant for. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../preload/scope.h"
#include "gomp.h"

enum { PLACES = 256, PAGE_BITS = 12 };

/* Callers by their page: an object has pages of its own. None is unloaded, since what is found is held. */
static struct {
  _Atomic uintptr_t page;
  const struct gomp* _Atomic gomp;
} places[PLACES];

static struct gomp* _Atomic all;
static const struct gomp* _Atomic of_all; /* that of the scope of all, where no caller has another */
static _Atomic bool some_have_own;
static const struct gomp nobodys; /* of callers whose scope has none */

/* Return what is known of the libgomp whose functions a handle finds; NULL if it finds none. */
static const struct gomp* known_by(void* handle) {
  void* const parallel = dlsym(handle, "GOMP_parallel");
  if (parallel == NULL) return NULL;
  for (const struct gomp* one = atomic_load(&all); one != NULL; one = one->next) {
    if ((void*)one->GOMP_parallel == parallel) return one;
  }
  struct gomp* found = calloc(1, sizeof *found);
  if (found == NULL) return NULL;
#define FIND(name) *(void**)&found->name = dlsym(handle, #name);
#define REGION(result, name, parameters, arguments, use, chunk) FIND(name)
#define LOOP(name, parameters, arguments, use, chunk) FIND(name)
#define NOTED(result, name, parameters, arguments, use) FIND(name)
#define TASK(name, parameters, arguments, use) FIND(name)
#define WAITS_VOID(name, parameters, arguments, wait) FIND(name)
#define ANSWERED(result, name, parameters, arguments, wait) FIND(name)
#define QUESTION(result, name, parameters) FIND(name)
  GOMP_REGIONS(REGION)
  GOMP_LOOPS(LOOP)
  GOMP_NOTED(NOTED)
  GOMP_TASKS(TASK)
  GOMP_WAITS(WAITS_VOID)
  GOMP_ANSWERED_WAITS(ANSWERED)
  GOMP_QUESTIONS(QUESTION)
  FIND(GOMP_parallel_reductions)
  Dl_info info;
  void* const own = dladdr(parallel, &info) != 0 ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  found->observed = own == NULL || dlsym(own, "__kmpc_fork_call") == NULL; /* `own` stays open: it is not unloaded */
  struct gomp* first = atomic_load(&all);
  do {
    found->next = first;
  } while (!atomic_compare_exchange_weak(&all, &first, found));
  return found;
}

/* dl_iterate_phdr may not be left by dlopen: what it finds is a name. */
static int named_gomp(struct dl_phdr_info* info, size_t size, void* name) {
  (void)size;
  const char* last = strrchr(info->dlpi_name, '/');
  if (last == NULL || strncmp(last, "/libgomp", strlen("/libgomp")) != 0) return 0;
  return snprintf(name, PATH_MAX, "%s", info->dlpi_name) < PATH_MAX;
}

static const struct gomp* found_for(const void* caller) {
  void* const handle = scope_of(caller, "GOMP_parallel");
  const struct gomp* const found = handle != NULL ? known_by(handle) : NULL;
  if (handle != RTLD_NEXT) {
    atomic_store(&some_have_own, true);
  } else if (found != NULL && !atomic_load(&some_have_own)) {
    atomic_store(&of_all, found);
  }
  return found != NULL ? found : &nobodys;
}

const struct gomp* any_gomp(void) {
  char name[PATH_MAX];
  void* const handle = dl_iterate_phdr(named_gomp, name) != 0 ? dlopen(name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  const struct gomp* const found = handle != NULL ? known_by(handle) : NULL;
  if (found == NULL) {
    fputs("rooftop: a call of libgomp cannot be passed on: none is loaded\n", stderr);
    abort();
  }
  return found;
}

const struct gomp* gomp_of(const void* caller) {
  const struct gomp* found = atomic_load_explicit(&of_all, memory_order_acquire);
  if (__builtin_expect(found != NULL, 1)) return found;
  const uintptr_t page = (uintptr_t)caller >> PAGE_BITS;
  size_t at = page % PLACES;
  for (int tries = 0; tries < PLACES; ++tries, at = (at + 1) % PLACES) {
    const uintptr_t seen = atomic_load_explicit(&places[at].page, memory_order_acquire);
    if (seen == 0) break;
    found = atomic_load_explicit(&places[at].gomp, memory_order_acquire);
    if (seen == page && found != NULL) return found == &nobodys ? NULL : found;
  }
  const int error = errno;
  found = found_for(caller);
  uintptr_t none = 0;
  if (atomic_compare_exchange_strong(&places[at].page, &none, page))
    atomic_store_explicit(&places[at].gomp, found, memory_order_release);
  errno = error;
  return found == &nobodys ? NULL : found;
}
