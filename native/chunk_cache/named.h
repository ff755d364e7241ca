/* Which objects were opened by a path. HDF5 keeps the path of these; for others H5Iget_name searches the whole file. */
#pragma once
#include "hdf5.h"

/* Note that an object was opened or created by a name, from a place. Calls HDF5. */
void note_named(const struct hdf5* hdf5, hid_t place, const char* name, hid_t made);

/* Return whether HDF5 knows the path of a group or dataset without a search. */
int is_named(const struct hdf5* hdf5, hid_t number);
