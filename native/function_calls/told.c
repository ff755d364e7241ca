/* The text of a process, with a line for

     object NUMBER PATH            the program, or a library
     function OBJECT OFFSET CALLS  an address in a function, or its first, as the object's symbols have it
     lost CALLS                    of functions that have no line, if there were any
     end                           the last line
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "../preload/processes.h"
#include "../preload/text.h"
#include "entries.h"

enum { OBJECTS = 256, LINE_BYTES = 80, TEXT_BYTES = SLOTS * LINE_BYTES + OBJECTS * (PATH_MAX + 32) + 256 };

const char folder_variable[] = "ROOFTOP_FUNCTION_CALLS";

struct object {
  uintptr_t from, to; /* its code */
  uintptr_t moved_by; /* an address, less that of the object's symbols */
};

static struct object objects[OBJECTS];
static int known; /* objects */

static unsigned tables_used(void) {
  const unsigned threads = atomic_load(&threads_seen);
  return threads < TABLES ? threads : TABLES;
}

void forget(void) {
  const unsigned used = tables_used();
  for (unsigned table = 0; table < used; ++table) {
    for (struct slot* slot = tables[table]; slot < tables[table] + SLOTS; ++slot) {
      if (atomic_load_explicit(&slot->calls, memory_order_relaxed) != 0) atomic_store(&slot->calls, 0);
    }
  }
  atomic_store(&lost, 0);
}

/* Move all calls to the first table. A process that tells in vain, since it could not be replaced, counts on. */
static void gather(void) {
  const unsigned used = tables_used();
  for (unsigned table = 1; table < used; ++table) {
    for (struct slot* from = tables[table]; from < tables[table] + SLOTS; ++from) {
      if (atomic_load_explicit(&from->calls, memory_order_relaxed) == 0) continue;
      struct slot* to = slot_of(tables[0], atomic_load(&from->address));
      atomic_fetch_add(to != NULL ? &to->calls : &lost, atomic_exchange(&from->calls, 0));
    }
  }
}

/* Learn where the object of an address has its code, from its header in memory. Return whether that can be told. */
static int learn(struct object* object, uintptr_t address, const char** path) {
  Dl_info info;
  struct link_map* map = NULL;
  if (dladdr1((const void*)address, &info, (void**)&map, RTLD_DL_LINKMAP) == 0 || map == NULL) return 0;
  const ElfW(Ehdr)* header = info.dli_fbase;
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return 0;
  const ElfW(Phdr)* segments = (const void*)((const char*)header + header->e_phoff);
  object->from = UINTPTR_MAX;
  object->to = 0;
  object->moved_by = map->l_addr;
  for (int at = 0; at < header->e_phnum; ++at) {
    if (segments[at].p_type != PT_LOAD || (segments[at].p_flags & PF_X) == 0) continue;
    const uintptr_t from = map->l_addr + segments[at].p_vaddr, to = from + segments[at].p_memsz;
    if (from < object->from) object->from = from;
    if (to > object->to) object->to = to;
  }
  *path = map->l_name[0] != '\0' ? map->l_name : NULL;
  return address - object->from < object->to - object->from;
}

/* Put the line of an object, whose path is that of the program where there is none. */
static char* put_object(char* at, int number, const char* path) {
  static char program[PATH_MAX];
  if (path == NULL) {
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    path = program;
  }
  at = put(put_figure(put(at, "object"), (uint64_t)number), " ");
  for (int length = 0; length < PATH_MAX - 1 && path[length] != '\0'; ++length)
    *at++ = path[length] == '\n' ? '?' : path[length];
  return put(at, "\n");
}

/* Return the number of an address's object, which has its line then; negative where it is gone. */
static int object_of(uintptr_t address, char** text) {
  for (int at = 0; at < known; ++at) {
    if (address - objects[at].from < objects[at].to - objects[at].from) return at;
  }
  const char* path = NULL;
  if (known == OBJECTS || !learn(&objects[known], address, &path)) return -1;
  *text = put_object(*text, known, path);
  return known++;
}

const char* told(size_t* length) {
  static char text[TEXT_BYTES];
  char* at = text;
  known = 0;
  gather();
  uint64_t without = atomic_load(&lost);
  for (const struct slot* slot = tables[0]; slot < tables[0] + SLOTS; ++slot) {
    const uint64_t calls = atomic_load_explicit(&slot->calls, memory_order_relaxed);
    if (calls == 0) continue;
    const uintptr_t address = atomic_load(&slot->address);
    const int object = object_of(address, &at);
    if (object < 0) {
      without += calls;
      continue;
    }
    at = put_figure(put_figure(put(at, "function"), (uint64_t)object), address - objects[object].moved_by);
    at = put(put_figure(at, calls), "\n");
  }
  if (without != 0) at = put(put_figure(put(at, "lost"), without), "\n");
  *length = (size_t)(put(at, "end\n") - text);
  return text;
}

/* Another library may come to lie where one was that is unloaded: calls of what is gone are lost, not the other's. */
static void lose_unloaded(void) {
  const unsigned used = tables_used();
  for (unsigned table = 0; table < used; ++table) {
    for (struct slot* slot = tables[table]; slot < tables[table] + SLOTS; ++slot) {
      Dl_info info;
      if (atomic_load_explicit(&slot->calls, memory_order_relaxed) == 0) continue;
      if (dladdr((const void*)atomic_load(&slot->address), &info) == 0)
        atomic_fetch_add(&lost, atomic_exchange(&slot->calls, 0));
    }
  }
}

__attribute__((visibility("default"))) int dlclose(void* handle) {
  static int (*_Atomic next)(void*);
  if (atomic_load(&next) == NULL) atomic_store(&next, (int (*)(void*))dlsym(RTLD_NEXT, "dlclose"));
  const int failed = atomic_load(&next)(handle);
  if (!failed) lose_unloaded();
  return failed;
}
