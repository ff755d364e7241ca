/* The table of sites, and the text of a process, with a line for

     object NUMBER PATH                    the program, or a library
     region OBJECT OFFSET COUNTS... NS...  a site, its figures in the order of sites.h
     lost CALLS                            regions of sites that have no line, if there were any
     end BEGAN ENDED                       the process, the last line

   The offset is that of the address to which the region's call returns, or of its body, as the object's symbols have
   it. A process began with its first region of several threads that is in no other, and ended with its last: in
   nanoseconds of CLOCK_MONOTONIC, which all processes share; both are 0 where it had none.
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
static _Atomic long long first_began, last_ended; /* ticks; 0: there was no region of several threads */

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

/* Find out where an address is. It is of a library that is loaded: a call comes from there. dladdr1 waits for the
   loader, which may run a constructor whose region waits for `placing`: it is called before that is taken. */
static void place(struct site* site, const void* address) {
  const int error = errno;
  Dl_info info;
  struct link_map* map = NULL;
  const char* path = "[generated]";
  char program[PATH_MAX];
  uint64_t offset = (uint64_t)(uintptr_t)address;
  if (dladdr1(address, &info, (void**)&map, RTLD_DL_LINKMAP) != 0 && map != NULL) {
    offset -= map->l_addr;
    path = map->l_name;
    if (path[0] == '\0') { /* the program itself */
      const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
      program[length > 0 ? length : 0] = '\0';
      path = length > 0 ? program : info.dli_fname;
    }
  }
  while (atomic_flag_test_and_set_explicit(&placing, memory_order_acquire)) {
  }
  site->offset = offset;
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

void note_time(long long began, long long ended) {
  long long seen = atomic_load_explicit(&first_began, memory_order_relaxed);
  while ((seen == 0 || began < seen) && !atomic_compare_exchange_weak(&first_began, &seen, began)) {
  }
  seen = atomic_load_explicit(&last_ended, memory_order_relaxed);
  while (seen < ended && !atomic_compare_exchange_weak(&last_ended, &seen, ended)) {
  }
}

void forget(void) {
#define ZERO(name) atomic_store_explicit(&site->name, 0, memory_order_relaxed);
  for (int at = 0; at <= SITES; ++at) {
    struct site* site = at < SITES ? &sites[at] : &overflow;
    SITE_COUNTS(ZERO)
    SITE_TICKS(ZERO)
  }
  atomic_flag_clear(&placing); /* a thread that the parent had may have held it */
  atomic_store(&first_began, 0);
  atomic_store(&last_ended, 0);
  begun_ns = now_ns();
  begun_ticks = now_ticks();
}

/* Return the time of the clock in nanoseconds; 0 for none. */
static uint64_t clock_ns(long long at_ticks, double ns_per_tick) {
  return at_ticks == 0 ? 0 : (uint64_t)(begun_ns + (long long)((double)(at_ticks - begun_ticks) * ns_per_tick));
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
  uint64_t lost = atomic_load(&overflow.calls);
  for (const struct site* site = sites; site < sites + SITES; ++site) {
    const uint64_t calls = atomic_load(&site->calls);
    if (calls == 0) continue;
    if (atomic_load_explicit(&site->placed, memory_order_acquire) == 0) {
      lost += calls; /* a thread places it just now, or did in the parent when this child was born */
      continue;
    }
    at = put_figure(put_figure(put(at, "region"), (uint64_t)site->object), site->offset);
#define COUNT(name) at = put_figure(at, atomic_load_explicit(&site->name, memory_order_relaxed));
#define NS(name) \
  at = put_figure(at, (uint64_t)((double)atomic_load_explicit(&site->name, memory_order_relaxed) * ns_per_tick));
    SITE_COUNTS(COUNT)
    SITE_TICKS(NS)
    at = put(at, "\n");
  }
  if (lost != 0) at = put(put_figure(put(at, "lost"), lost), "\n");
  at = put_figure(put(at, "end"), clock_ns(atomic_load(&first_began), ns_per_tick));
  at = put_figure(at, clock_ns(atomic_load(&last_ended), ns_per_tick));
  *length = (size_t)(put(at, "\n") - text);
  return text;
}
