#include "regions.h"

#include "sites.h"

OF_THREAD struct stay* own_stay;
OF_THREAD const void* passed_on;

static inline void add(_Atomic uint64_t* figure, uint64_t more) {
  atomic_fetch_add_explicit(figure, more, memory_order_relaxed);
}

static inline void raise(_Atomic uint64_t* figure, uint64_t to) {
  uint64_t seen = atomic_load_explicit(figure, memory_order_relaxed);
  while (seen < to &&
         !atomic_compare_exchange_weak_explicit(figure, &seen, to, memory_order_relaxed, memory_order_relaxed)) {
  }
}

void begin_region(struct region* region, const void* address) {
  region->site = site_of(address);
  region->outermost = own_stay == NULL;
  atomic_store_explicit(&region->threads, 0, memory_order_relaxed);
  atomic_store_explicit(&region->others, 0, memory_order_relaxed);
  atomic_store_explicit(&region->most_other, 0, memory_order_relaxed);
  region->begun = now_ticks();
}

void end_region(struct region* region) {
  const uint64_t wall = ticks_since(region->begun);
  struct site* site = region->site;
  const unsigned threads = atomic_load_explicit(&region->threads, memory_order_relaxed);
  uint64_t sum = atomic_load_explicit(&region->others, memory_order_relaxed);
  uint64_t most = atomic_load_explicit(&region->most_other, memory_order_relaxed);
  for (unsigned at = 0; at < threads && at < SLOTS; ++at) {
    const uint64_t body = atomic_load_explicit(&region->bodies[at], memory_order_relaxed);
    sum += body;
    if (body > most) most = body;
  }
  add(&site->calls, 1);
  add(&site->threads, threads);
  add(&site->wall, wall);
  if (region->outermost && threads > 1) {
    add(&site->outer_calls, 1);
    add(&site->outer_wall, wall);
    note_time(region->begun, region->begun + (long long)wall);
  }
  if (threads == 0) return;
  raise(&site->most_threads, threads);
  add(&site->most, most);
  add(&site->mean, sum / threads);
}

void end_stay(struct stay* stay, unsigned number, unsigned threads) {
  struct region* region = stay->region;
  const uint64_t body = ticks_since(stay->begun);
  if (number < SLOTS) {
    atomic_store_explicit(&region->bodies[number], body, memory_order_relaxed);
  } else {
    add(&region->others, body);
    raise(&region->most_other, body);
  }
  if (number == 0) atomic_store_explicit(&region->threads, threads, memory_order_relaxed);
  struct site* site = region->site;
  if (stay->waits[WAIT_BARRIER].calls != 0) {
    add(&site->barriers, stay->waits[WAIT_BARRIER].calls);
    add(&site->barrier_wait, stay->waits[WAIT_BARRIER].ticks);
  }
  if (stay->waits[WAIT_LOCK].calls != 0) {
    add(&site->locks, stay->waits[WAIT_LOCK].calls);
    add(&site->lock_wait, stay->waits[WAIT_LOCK].ticks);
  }
  own_stay = stay->outer;
}

void note_use(struct region* region, unsigned use, uint64_t chunk) {
  struct site* site = region->site;
  if ((atomic_load_explicit(&site->uses, memory_order_relaxed) & use) != use)
    atomic_fetch_or_explicit(&site->uses, use, memory_order_relaxed);
  if (chunk != 0 && atomic_load_explicit(&site->chunk, memory_order_relaxed) != chunk)
    atomic_store_explicit(&site->chunk, chunk, memory_order_relaxed);
}
