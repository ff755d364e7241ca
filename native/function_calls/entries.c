/* What functions call when they are entered, in the place of the C library's: mcount by -pg, __fentry__ by
   -pg -mfentry, __cyg_profile_func_enter by -finstrument-functions.

   On x86-64 the first two are called while the function's arguments are in registers: all that is used here is saved,
   and this file is compiled for general registers only. Elsewhere compilers save the arguments before. */
#include "entries.h"

#define SHOWN __attribute__((visibility("default")))
#ifdef __x86_64__
#define AT_ENTRY SHOWN __attribute__((no_caller_saved_registers))
#else
#define AT_ENTRY SHOWN
#endif

struct slot tables[TABLES][SLOTS] __attribute__((aligned(4096)));
_Atomic unsigned threads_seen;
_Atomic uint64_t lost;

static _Thread_local struct slot* own_table __attribute__((tls_model("initial-exec")));

static inline __attribute__((always_inline)) void count(const void* in_function) {
  struct slot* table = own_table;
  if (__builtin_expect(table == NULL, 0)) {
    table = tables[atomic_fetch_add_explicit(&threads_seen, 1, memory_order_relaxed) % TABLES];
    own_table = table;
  }
  struct slot* slot = slot_of(table, (uintptr_t)in_function);
  atomic_fetch_add_explicit(slot != NULL ? &slot->calls : &lost, 1, memory_order_relaxed);
}

/* One body with three names: a compiler that merges equal bodies would make one call another, and that is the caller.
 */
AT_ENTRY void mcount(void) { count(__builtin_extract_return_addr(__builtin_return_address(0))); }
AT_ENTRY void _mcount(void) __attribute__((alias("mcount")));
AT_ENTRY void __fentry__(void) __attribute__((alias("mcount")));

SHOWN void __cyg_profile_func_enter(void* function, void* call) {
  (void)call;
  count(function);
}

/* With -pg the C library samples the program besides, and writes gmon.out at its end. Its calls would be missing from
   that file, and it would take the place of the user's: in this run there is none. */
SHOWN void __monstartup(unsigned long from, unsigned long to) {
  (void)from;
  (void)to;
}
SHOWN void monstartup(unsigned long from, unsigned long to) { __monstartup(from, to); }
SHOWN void _mcleanup(void) {}
