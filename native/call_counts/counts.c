/* The blocks of counts, and their sum as text: `size POWER CALLS` and `NAME CALLS BYTES NS`. Nothing here allocates,
   waits or calls what is counted. */
#include "counts.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "../preload/processes.h"
#include "../preload/text.h"

const char folder_variable[] = "ROOFTOP_CALL_COUNTS";

enum { BLOCKS = 1024, TEXT_BYTES = 8192 };
_Static_assert(POWERS * 32 + CALLS * 80 < TEXT_BYTES, "the text may not fit");

/* Pages that are never touched take no memory. Threads beyond the number of blocks share the last one. */
static struct counts blocks[BLOCKS + 1];
static struct counts* const shared = &blocks[BLOCKS];
static _Atomic int used; /* blocks that a thread has had */

_Thread_local struct counts* own_counts __attribute__((tls_model("initial-exec"), visibility("hidden")));
static _Thread_local int has_ended __attribute__((tls_model("initial-exec")));

static pthread_key_t at_end_of_thread;
enum { NO_KEY, MAKING_KEY, KEY, FAILED_KEY };
static _Atomic int key_state;

/* What the thread still calls after this is counted in the shared block. */
static void leave_block(void* block) {
  has_ended = 1;
  own_counts = NULL;
  atomic_store_explicit(&((struct counts*)block)->taken, 0, memory_order_release);
}

/* Created first of all keys, so that its values need no memory of their own. */
static int has_key(void) {
  int state = NO_KEY;
  if (atomic_compare_exchange_strong(&key_state, &state, MAKING_KEY)) {
    state = pthread_key_create(&at_end_of_thread, leave_block) == 0 ? KEY : FAILED_KEY;
    atomic_store(&key_state, state);
  }
  return state == KEY;
}

static struct counts* free_block(void) {
  const int known = atomic_load(&used);
  for (int at = 0; at < known && at < BLOCKS; ++at) {
    int taken = 0;
    if (atomic_load_explicit(&blocks[at].taken, memory_order_relaxed) == 0 &&
        atomic_compare_exchange_strong(&blocks[at].taken, &taken, 1))
      return &blocks[at];
  }
  for (int at = known; at < BLOCKS; ++at) {
    int taken = 0;
    if (!atomic_compare_exchange_strong(&blocks[at].taken, &taken, 1)) continue;
    int seen = atomic_load(&used);
    while (seen <= at && !atomic_compare_exchange_weak(&used, &seen, at + 1)) {
    }
    return &blocks[at];
  }
  return NULL;
}

static void take_block(void) {
  if (has_ended || !has_key()) return;
  struct counts* block = free_block();
  if (block == NULL) return;
  if (pthread_setspecific(at_end_of_thread, block) != 0) {
    atomic_store(&block->taken, 0);
    return;
  }
  own_counts = block;
}

void count_first(enum call call, uint64_t bytes, uint64_t ns, int power) {
  const int error = errno;
  take_block();
  errno = error;
  struct counts* to = own_counts != NULL ? own_counts : shared;
  struct figures* figures = &to->of[call];
  atomic_fetch_add_explicit(&figures->calls, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&figures->bytes, bytes, memory_order_relaxed);
  atomic_fetch_add_explicit(&figures->ns, ns, memory_order_relaxed);
  if (power >= 0) atomic_fetch_add_explicit(&to->sizes[power], 1, memory_order_relaxed);
}

void forget(void) {
  const int known = atomic_load(&used);
  for (int at = 0; at <= known; ++at) {
    struct counts* block = at < known ? &blocks[at] : shared;
    memset(block, 0, sizeof *block);
    block->taken = block == own_counts;
  }
  forget_reads();
}

static uint64_t sum(size_t offset) {
  const int known = atomic_load(&used);
  uint64_t total = 0;
  for (int at = 0; at <= known; ++at) {
    const struct counts* block = at < known ? &blocks[at] : shared;
    total += atomic_load_explicit((_Atomic uint64_t*)((char*)block + offset), memory_order_relaxed);
  }
  return total;
}

const char* told(size_t* length) {
  static char text[TEXT_BYTES];
#define NAME_OF(name) #name,
  static const char* const names[CALLS] = {COUNTED_CALLS(NAME_OF)};
#undef NAME_OF
  note_end();
  char* at = text;
  for (size_t power = 0; power < POWERS; ++power) {
    const uint64_t calls = sum(offsetof(struct counts, sizes) + power * sizeof(uint64_t));
    if (calls == 0) continue;
    at = put_figure(put_figure(put(at, "size"), power), calls);
    at = put(at, "\n");
  }
  /* All of them, also those without calls: a text that was cut short is known by what it lacks. */
  for (size_t call = 0; call < CALLS; ++call) {
    const size_t first = call * sizeof(struct figures);
    at = put(at, names[call]);
    at = put_figure(at, sum(first + offsetof(struct figures, calls)));
    at = put_figure(at, sum(first + offsetof(struct figures, bytes)));
    at = put_figure(at, sum(first + offsetof(struct figures, ns)));
    at = put(at, "\n");
  }
  *length = (size_t)(at - text);
  return text;
}
