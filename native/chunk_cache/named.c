/* Numbers of groups and datasets that were opened by a path. */
#include "named.h"

#include <stdatomic.h>

/* HDF5 gives numbers in turn for each kind: a place has the last number of those that fall on it. */
enum { NUMBERS = 4096 };
static _Atomic uint64_t groups[NUMBERS], datasets[NUMBERS];

/* A program may have several libraries of HDF5, each with numbers of its own. */
static uint64_t key_of(const struct hdf5* hdf5, hid_t number) {
  return (uint64_t)number * 0x9E3779B97F4A7C15U + (uint64_t)(uintptr_t)hdf5;
}

static _Atomic uint64_t* place_of(const struct hdf5* hdf5, hid_t number) {
  const int type = hdf5->H5Iget_type(number);
  if (type != A_GROUP && type != A_DATASET) return NULL;
  return &(type == A_GROUP ? groups : datasets)[(uint64_t)number % NUMBERS];
}

int is_named(const struct hdf5* hdf5, hid_t number) {
  _Atomic uint64_t* const place = place_of(hdf5, number);
  return place != NULL && atomic_load(place) == key_of(hdf5, number);
}

void note_named(const struct hdf5* hdf5, hid_t place, const char* name, hid_t made) {
  _Atomic uint64_t* const its = place_of(hdf5, made);
  if (its == NULL) return;
  /* A path goes on from that of its place. */
  if (name[0] == '/' || hdf5->H5Iget_type(place) == A_FILE || is_named(hdf5, place))
    atomic_store(its, key_of(hdf5, made));
}
