/* The table of datasets, and its text: `dataset FIGURES SHAPE NAME<tab>FILE`, `lost CALLS`, `refused VERSION`, `end`.
 */
#include "datasets.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "../preload/processes.h"
#include "../preload/text.h"
#include "named.h"

const char folder_variable[] = "ROOFTOP_CHUNK_READS";

enum { DATASETS = 128, NUMBERS = 1024, PLACES = 1 << 17, TRIES = 64, LINE_BYTES = 13 * 21 + 2 * NAME_BYTES + 16 };

static struct dataset datasets[DATASETS];
static _Atomic int used;
static _Atomic uint64_t lost; /* calls that read datasets for which there was no room */

/* Numbers of datasets, which HDF5 gives in turn; of each place, the last one. HDF5 is not called while this is held. */
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static struct {
  const struct hdf5* hdf5;
  hid_t number;
  struct dataset* dataset;
} numbers[NUMBERS];

/* Where datasets were read, mixed; pages that are never touched take no memory. */
static _Atomic uint64_t places[PLACES];

static uint64_t mixed(uint64_t dataset, uint64_t creations, uint64_t at) {
  uint64_t hash = (at + 1) * 0x9E3779B97F4A7C15U ^ (dataset + DATASETS * creations + 1) * 0xC2B2AE3D27D4EB4FU;
  hash = (hash ^ (hash >> 31)) * 0xBF58476D1CE4E5B9U;
  hash ^= hash >> 29;
  return hash != 0 ? hash : 1;
}

/* Return whether a place had been read before. Where there is no room, it counts as new. */
static int is_known(uint64_t hash) {
  size_t slot = hash % PLACES;
  for (int tries = 0; tries < TRIES; ++tries, slot = (slot + 1) % PLACES) {
    uint64_t seen = 0;
    if (atomic_compare_exchange_strong(&places[slot], &seen, hash)) return 0;
    if (seen == hash) return 1;
  }
  return 0;
}

static void add(_Atomic uint64_t* figure, uint64_t more) {
  atomic_fetch_add_explicit(figure, more, memory_order_relaxed);
}

void note_piece(struct dataset* dataset, uint64_t at, uint64_t bytes) {
  add(&dataset->pieces, 1);
  add(&dataset->bytes, bytes);
  const uint64_t creations = atomic_load_explicit(&dataset->creations, memory_order_relaxed);
  if (is_known(mixed((uint64_t)(dataset - datasets), creations, at))) return;
  add(&dataset->first_pieces, 1);
  add(&dataset->first_bytes, bytes);
}

void note_creation(const char* file) {
  const int known = atomic_load(&used);
  for (int at = 0; at < known; ++at) {
    /* A longer name was cut. */
    if (strncmp(datasets[at].shape.file, file, NAME_BYTES - 1) == 0) add(&datasets[at].creations, 1);
  }
}

/* Fill the figures of an open dataset. Returns whether it has chunks, and HDF5 tells of them. It must read nothing of
   the file: where metadata are read by all ranks together, others may not take part. */
static int fill(struct shape* shape, const struct hdf5* hdf5, hid_t number) {
  hsize_t chunk[MOST_DIMENSIONS], lengths[MOST_DIMENSIONS];
  size_t slots = 0, bytes = 0;
  double preemption = 0;
  const hid_t creation = hdf5->H5Dget_create_plist(number);
  if (creation < 0) return 0;
  const int dimensions =
      hdf5->H5Pget_layout(creation) == CHUNKED ? hdf5->H5Pget_chunk(creation, MOST_DIMENSIONS, chunk) : 0;
  const int filters = hdf5->H5Pget_nfilters(creation);
  hdf5->H5Pclose(creation);
  if (dimensions <= 0 || dimensions > MOST_DIMENSIONS || filters < 0) return 0;
  const hid_t access = hdf5->H5Dget_access_plist(number);
  const hid_t space = hdf5->H5Dget_space(number), type = hdf5->H5Dget_type(number);
  int right = access >= 0 && space >= 0 && type >= 0 &&
              hdf5->H5Sget_simple_extent_dims(space, lengths, NULL) == dimensions &&
              hdf5->H5Pget_chunk_cache(access, &slots, &bytes, &preemption) >= 0;
  shape->chunk_bytes = type >= 0 ? hdf5->H5Tget_size(type) : 0;
  if (access >= 0) hdf5->H5Pclose(access);
  if (space >= 0) hdf5->H5Sclose(space);
  if (type >= 0) hdf5->H5Tclose(type);
  shape->chunks = 1;
  for (int at = 0; right && at < dimensions; ++at) {
    right = chunk[at] > 0;
    shape->chunk_bytes *= chunk[at];
    if (right) shape->chunks *= lengths[at] / chunk[at] + (lengths[at] % chunk[at] != 0);
  }
  shape->filters = (uint64_t)filters;
  shape->cache_bytes = bytes;
  shape->cache_slots = slots;
  /* A name that is longer is cut. What was opened by a reference is told without one: HDF5 would search the file. */
  if (!is_named(hdf5, number) || hdf5->H5Iget_name(number, shape->name, NAME_BYTES) <= 0) shape->name[0] = '\0';
  if (hdf5->H5Fget_name(number, shape->file, NAME_BYTES) <= 0) shape->file[0] = '\0';
  return right;
}

static struct dataset* same_as(const struct shape* shape) {
  const int known = atomic_load(&used);
  for (int at = 0; at < known; ++at) {
    if (strcmp(datasets[at].shape.name, shape->name) == 0 && strcmp(datasets[at].shape.file, shape->file) == 0)
      return &datasets[at];
  }
  if (known == DATASETS) return NULL;
  datasets[known].shape = *shape;
  atomic_store(&used, known + 1);
  return &datasets[known];
}

struct dataset* dataset_of(const struct hdf5* hdf5, hid_t number) {
  const size_t slot = (uint64_t)number % NUMBERS;
  pthread_mutex_lock(&held);
  const int known = numbers[slot].hdf5 == hdf5 && numbers[slot].number == number;
  struct dataset* found = known ? numbers[slot].dataset : NULL;
  pthread_mutex_unlock(&held);
  if (known) return found;
  /* Of what is none, the call itself tells. */
  if (hdf5->H5Iget_type(number) != A_DATASET) return NULL;
  struct shape shape;
  memset(&shape, 0, sizeof shape);
  const int has_chunks = fill(&shape, hdf5, number);
  pthread_mutex_lock(&held);
  if (has_chunks) found = same_as(&shape);
  if (found != NULL) add(&found->opens, 1);
  numbers[slot].hdf5 = hdf5;
  numbers[slot].number = number;
  numbers[slot].dataset = found;
  pthread_mutex_unlock(&held);
  if (has_chunks && found == NULL) add(&lost, 1);
  return found;
}

void forget(void) {
  pthread_mutex_init(&held, NULL);
  memset(numbers, 0, sizeof numbers);
  if (atomic_load(&used) > 0) memset(places, 0, sizeof places);
  memset(datasets, 0, sizeof datasets);
  atomic_store(&used, 0);
  atomic_store(&lost, 0);
}

/* A name is not to end a line, or itself. */
static char* put_name(char* at, const char* name) {
  for (; *name != '\0'; ++name) *at++ = (unsigned char)*name < ' ' ? '?' : *name;
  return at;
}

const char* told(size_t* length) {
  static char text[(DATASETS + 8) * LINE_BYTES];
  char* at = text;
  const int known = atomic_load(&used);
  for (int number = 0; number < known; ++number) {
    const struct dataset* one = &datasets[number];
    at = put(at, "dataset");
#define PUT(name) at = put_figure(at, atomic_load(&one->name));
    FIGURES(PUT)
#undef PUT
    const struct shape* const shape = &one->shape;
    at = put_figure(put_figure(at, shape->chunk_bytes), shape->chunks);
    at = put_figure(put_figure(put_figure(at, shape->filters), shape->cache_bytes), shape->cache_slots);
    at = put_name(put(at, " "), shape->name);
    at = put(put_name(put(at, "\t"), shape->file), "\n");
  }
  int libraries = 0;
  for (const struct hdf5* one = found_libraries(); one != NULL && libraries < 4; one = one->next, ++libraries) {
    if (one->usable) continue;
    at = put_figure(put_figure(put_figure(put(at, "refused"), one->version[0]), one->version[1]), one->version[2]);
    at = put(at, "\n");
  }
  at = put(put_figure(put(at, "lost"), atomic_load(&lost)), "\nend\n");
  *length = (size_t)(at - text);
  return text;
}
