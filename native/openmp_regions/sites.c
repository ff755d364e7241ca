/* The table of sites, and the text of a process:

     object NUMBER PATH                     of the program, or of a library
     region OBJECT OFFSET COUNTS... NS...   the figures of a site in the order of sites.h; the offset is that of the
   address to which the region's call returns, as the object's symbols have it lost CALLS regions of sites for which
   there was no room, if there were any end BEGAN ENDED                        nanoseconds of the clock that is not set
*/
#define _GNU_SOURCE
#include "sites.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "../preload/processes.h"
#include "../preload/text.h"
#include "../preload/ticks.h"

enum {
  SITES = 1024,
  OBJECTS = 128,
  LINE_BYTES = 400,
  TEXT_BYTES = SITES * LINE_BYTES + OBJECTS * (PATH_MAX + 32) + 256
};

const char folder_variable[] = "ROOFTOP_OPENMP_REGIONS";
int by_counter;

/* Pages that are never touched take no memory. */
static struct site sites[SITES], overflow;
static char objects[OBJECTS][PATH_MAX];
static _Atomic int known; /* objects */
static atomic_flag placing = ATOMIC_FLAG_INIT;
static long long begun_ns, begun_ticks;

__attribute__((constructor)) static void begin(void) {
  const int error = errno;
  by_counter = counter_is_good();
  begun_ns = now_ns();
  begun_ticks = now_ticks();
  errno = error;
}

/* Return the number of an object; the last one stands for all that have no room. */
static int number_of(const char* path) {
  const int before = atomic_load(&known);
  for (int at = 0; at < before; ++at) {
    if (strcmp(objects[at], path) == 0) return at;
  }
  const int at = before < OBJECTS ? before : OBJECTS - 1;
  size_t length = 0;
  for (; path[length] != '\0' && length < PATH_MAX - 1; ++length) {
    objects[at][length] = path[length];
    if (path[length] == '\n') objects[at][length] = '?';
  }
  objects[at][length] = '\0';
  if (before < OBJECTS) atomic_store(&known, before + 1);
  return at;
}

/* Find out where an address is. It is of a library that is loaded: a call comes from there. */
static void place(struct site* site, const void* address) {
  const int error = errno;
  Dl_info info;
  struct link_map* map = NULL;
  const char* path = "[generated]";
  static char program[PATH_MAX];
  while (atomic_flag_test_and_set_explicit(&placing, memory_order_acquire)) {
  }
  site->offset = (uint64_t)(uintptr_t)address;
  if (dladdr1(address, &info, (void**)&map, RTLD_DL_LINKMAP) != 0 && map != NULL) {
    site->offset -= map->l_addr;
    path = map->l_name;
    if (path[0] == '\0') { /* the program itself */
      const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
      program[length > 0 ? length : 0] = '\0';
      path = length > 0 ? program : info.dli_fname;
    }
  }
  site->object = number_of(path);
  atomic_store_explicit(&site->placed, 1, memory_order_release);
  atomic_flag_clear_explicit(&placing, memory_order_release);
  errno = error;
}

struct site* site_of(const void* address) {
  const uintptr_t wanted = (uintptr_t)address;
  size_t at = (wanted * 0x9E3779B97F4A7C15U) >> 54;
  _Static_assert(SITES == 1 << 10, "the hash has ten bits");
  for (int tries = 0; wanted != 0 && tries < 64; ++tries, at = (at + 1) % SITES) {
    struct site* site = &sites[at];
    uintptr_t seen = atomic_load_explicit(&site->address, memory_order_relaxed);
    if (seen == wanted) return site;
    if (seen == 0 && atomic_compare_exchange_strong(&site->address, &seen, wanted)) {
      place(site, address);
      return site;
    }
    if (seen == wanted) return site; /* another thread was faster */
  }
  return &overflow;
}

void forget(void) {
#define ZERO(name) atomic_store_explicit(&site->name, 0, memory_order_relaxed);
  for (int at = 0; at <= SITES; ++at) {
    struct site* site = at < SITES ? &sites[at] : &overflow;
    SITE_COUNTS(ZERO)
    SITE_TICKS(ZERO)
  }
  atomic_flag_clear(&placing); /* a thread that the parent had may have held it */
  begun_ns = now_ns();
  begun_ticks = now_ticks();
}

const char* told(size_t* length) {
  static char text[TEXT_BYTES];
  const long long ns = now_ns() - begun_ns, ticks = now_ticks() - begun_ticks;
  const double ns_per_tick = by_counter && ticks > 0 ? (double)ns / (double)ticks : 1.0;
  char* at = text;
  for (int object = 0; object < atomic_load(&known); ++object) {
    at = put_figure(put(at, "object"), (uint64_t)object);
    at = put(put(put(at, " "), objects[object]), "\n");
  }
  for (const struct site* site = sites; site < sites + SITES; ++site) {
    if (atomic_load(&site->calls) == 0 || atomic_load_explicit(&site->placed, memory_order_acquire) == 0) continue;
    at = put_figure(put_figure(put(at, "region"), (uint64_t)site->object), site->offset);
#define COUNT(name) at = put_figure(at, atomic_load_explicit(&site->name, memory_order_relaxed));
#define NS(name) \
  at = put_figure(at, (uint64_t)((double)atomic_load_explicit(&site->name, memory_order_relaxed) * ns_per_tick));
    SITE_COUNTS(COUNT)
    SITE_TICKS(NS)
    at = put(at, "\n");
  }
  if (atomic_load(&overflow.calls) != 0) at = put(put_figure(put(at, "lost"), atomic_load(&overflow.calls)), "\n");
  *length = (size_t)(put(at, "end\n") - text);
  return text;
}
