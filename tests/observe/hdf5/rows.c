/* Rows of a dataset in compressed chunks, for tests that know how many chunks are decoded: rows FILE HOW [TIMES].
   4 of 8 chunks make a row; a chunk has 64 KiB, and 32 rows. Prints the sum, and the dataset's cache as it is. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 64, COLUMNS = 1024, CHUNK_ROWS = 32, CHUNK_COLUMNS = 256 };
static double values[ROWS][COLUMNS];

static void write_matrix(const char* name, const char* how, hid_t access) {
  const hsize_t lengths[2] = {ROWS, COLUMNS}, chunk[2] = {CHUNK_ROWS, CHUNK_COLUMNS};
  for (int row = 0; row < ROWS; ++row)
    for (int column = 0; column < COLUMNS; ++column) values[row][column] = row + column % 7;
  const hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hid_t space = H5Screate_simple(2, lengths, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
  if (strcmp(how, "contiguous") != 0) H5Pset_chunk(creation, 2, chunk);
  if (strcmp(how, "contiguous") != 0 && strcmp(how, "plain") != 0) H5Pset_deflate(creation, 1);
  const hid_t cached = H5Pcreate(H5P_DATASET_ACCESS);
  if (strcmp(how, "created") == 0) H5Pset_chunk_cache(cached, 101, 70000, 0.5);
  const hid_t set = H5Dcreate2(file, "matrix", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, cached);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  if (strcmp(how, "created") == 0) {
    size_t slots, bytes;
    double preemption;
    const hid_t its = H5Dget_access_plist(set);
    H5Pget_chunk_cache(its, &slots, &bytes, &preemption);
    printf("created %zu %zu %g\n", bytes, slots, preemption);
    H5Pclose(its);
  }
  H5Dclose(set);
  H5Pclose(cached);
  H5Pclose(creation);
  H5Sclose(space);
  H5Fclose(file);
}

static double read_row(hid_t set, int row) {
  const hsize_t from[2] = {(hsize_t)row, 0}, count[2] = {1, COLUMNS};
  double read[COLUMNS], sum = 0;
  const hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &count[1], NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL);
  if (H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, read) < 0) exit(1);
  H5Sclose(space);
  H5Sclose(memory);
  for (int column = 0; column < COLUMNS; ++column) sum += read[column];
  return sum;
}

/* What HDF5 tells of a failure must be there after the call that failed. */
static int fail(const char* name) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
  printf("%d %d\n", file >= 0, H5Eget_num(H5E_DEFAULT) > 0);
  return 0;
}

static herr_t count_error(hid_t stack, void* errors) {
  (void)stack;
  ++*(int*)errors;
  return 0;
}

/* Read what is no dataset: each call tells of one failure. */
static int read_others(const char* name) {
  int errors = 0;
  H5Eset_auto2(H5E_DEFAULT, count_error, &errors);
  const hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  double read = 0;
  H5Dread(file, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &read);
  H5Dread(H5I_INVALID_HID, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &read);
  H5Fclose(file);
  printf("%d\n", errors);
  return 0;
}

/* As a program that keeps a part of each step in a file does: each step's file has all of it read once. */
static int write_steps(const char* name, int times) {
  double sum = 0;
  for (int time = 0; time < times; ++time) {
    write_matrix(name, "steps", H5P_DEFAULT);
    const hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, "matrix", H5P_DEFAULT);
    for (int row = 0; row < ROWS; ++row) sum += read_row(set, row);
    H5Dclose(set);
    H5Fclose(file);
  }
  printf("%.0f\n", sum);
  return 0;
}

static hid_t open_matrix(hid_t file, const char* how, hid_t own) {
  if (strcmp(how, "reference") == 0) {
    hobj_ref_t reference;
    H5Rcreate(&reference, file, "matrix", H5R_OBJECT, -1);
    return H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &reference);
  }
  if (strcmp(how, "group") != 0) return H5Dopen2(file, "matrix", own);
  const hid_t root = H5Gopen2(file, "/", H5P_DEFAULT), set = H5Oopen(root, "matrix", H5P_DEFAULT);
  H5Gclose(root);
  return set;
}

int main(int count, char** words) {
  if (count < 3) return 2;
  const char* how = words[2];
  if (strcmp(how, "fails") == 0) return fail(words[1]);
  if (strcmp(how, "others") == 0) return read_others(words[1]);
  if (strcmp(how, "steps") == 0) return write_steps(words[1], atoi(words[3]));
  const int times = count > 3 ? atoi(words[3]) : 1;
  hid_t access = H5P_DEFAULT, own = H5P_DEFAULT;
  if (strcmp(how, "default") != 0) {
    access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_cache(access, 0, 101, strcmp(how, "large") == 0 || strcmp(how, "inherits") == 0 ? (size_t)1 << 30 : 70000,
                 0.5);
  }
  if (strcmp(how, "dataset") == 0) {
    own = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(own, 103, 80000, 0.25);
  }
  if (strcmp(how, "inherits") == 0) own = H5Pcreate(H5P_DATASET_ACCESS);
  write_matrix(words[1], how, access);
  const hid_t file = H5Fopen(words[1], H5F_ACC_RDONLY, access);
  hid_t set = open_matrix(file, how, own);
  if (file < 0 || set < 0) return 1;
  double sum = 0;
  for (int time = 0; time < times; ++time) {
    for (int row = 0; row < ROWS; ++row) {
      sum += read_row(set, row);
      if (strcmp(how, "reopened") != 0) continue;
      H5Dclose(set);
      set = H5Dopen2(file, "matrix", own);
    }
  }
  if (strcmp(how, "forks") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      read_row(set, 0);
      exit(0);
    }
    waitpid(child, NULL, 0);
  }
  size_t slots, bytes;
  double preemption;
  const hid_t its = H5Dget_access_plist(set);
  H5Pget_chunk_cache(its, &slots, &bytes, &preemption);
  printf("%.0f\n%zu %zu %g\n", sum, bytes, slots, preemption);
  H5Pclose(its);
  H5Dclose(set);
  H5Fclose(file);
  return 0;
}
