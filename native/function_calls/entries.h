/* How often each function was entered, by an address in it. Counting waits for nothing and calls nothing, so that it
   may happen anywhere: in a handler of a signal, before main, in the loader's own calls. */
#pragma once
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { TABLES = 32, SLOT_BITS = 14, SLOTS = 1 << SLOT_BITS };

struct slot {
  _Atomic uintptr_t address; /* 0: nobody has the place */
  _Atomic uint64_t calls;
};

/* Threads share these tables: the first thread has the first one, and so on, round about. Few threads that run at once
   have the same, so that counting seldom takes a line from another core. Pages that are never touched take no memory.
 */
extern struct slot tables[TABLES][SLOTS];

/* Threads that have had a table, and calls of functions for which there was no room. */
extern _Atomic unsigned threads_seen;
extern _Atomic uint64_t lost;

/* Return the slot of an address in a table, taken for it if need be; NULL where there is no room. */
static inline __attribute__((always_inline)) struct slot* slot_of(struct slot* table, uintptr_t address) {
  size_t at = (address * 0x9E3779B97F4A7C15U) >> (64 - SLOT_BITS);
  for (int tries = 0; tries < 256; ++tries, at = (at + 1) % SLOTS) {
    struct slot* slot = &table[at];
    uintptr_t seen = atomic_load_explicit(&slot->address, memory_order_relaxed);
    if (__builtin_expect(seen == address, 1)) return slot;
    if (seen == 0 && atomic_compare_exchange_strong(&slot->address, &seen, address)) return slot;
    if (seen == address) return slot; /* another thread was faster */
  }
  return NULL;
}
