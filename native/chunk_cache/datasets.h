/* What is told of datasets in chunks: for each its reads, and what they took from the file. */
#pragma once
#include <stdatomic.h>
#include <stdint.h>

#include "hdf5.h"

enum { NAME_BYTES = 256 };

/* What stays the same while a dataset is open. */
struct shape {
  uint64_t chunk_bytes, chunks, filters; /* chunk_bytes: of a chunk in memory */
  uint64_t cache_bytes, cache_slots;
  char name[NAME_BYTES], file[NAME_BYTES];
};

/* `opens`: numbers by which it was read; each H5Dopen gives another. `pieces`: reads of the file within calls of
   H5Dread; a chunk with filters is read as one. `first_…`: of pieces that had not been read before. `most_pieces`: of a
   call. */
#define FIGURES(X) X(opens) X(calls) X(ns) X(pieces) X(bytes) X(first_pieces) X(first_bytes) X(most_pieces)
struct dataset {
#define FIGURE(name) _Atomic uint64_t name;
  FIGURES(FIGURE)
#undef FIGURE
  _Atomic uint64_t creations; /* of its file since it was read first: what was read before is gone */
  struct shape shape;
};

/* Return the dataset of a number; NULL where it has no chunks, where there are too many datasets, or where HDF5 does
   not tell. Calls HDF5. */
struct dataset* dataset_of(const struct hdf5* hdf5, hid_t number);

/* Note that a file was created, under the name that HDF5 was given. */
void note_creation(const char* file);

/* Note a read of the file: so many bytes from a place. */
void note_piece(struct dataset* dataset, uint64_t at, uint64_t bytes);
