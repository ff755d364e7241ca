/* Lists for what is opened and created, with caches of chunks that are larger than the program asks for. */
#pragma once
#include "hdf5.h"

/* Return a copy of a list with a larger cache, which the caller closes; `list` itself where it is large enough, or
   cannot be changed. */
hid_t larger_for_file(const struct hdf5* hdf5, hid_t list);
hid_t larger_for_dataset(const struct hdf5* hdf5, hid_t list);
