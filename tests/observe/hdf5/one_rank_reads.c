/* A dataset in chunks that all ranks open, of which the first alone reads: one_rank_reads FILE. Metadata are read by
   all ranks together, as in programs of netCDF. Prints the sum. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>

enum { ROWS = 64, COLUMNS = 1024, CHUNK_COLUMNS = 16 };
static double values[ROWS][COLUMNS];

static hid_t together(void) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_all_coll_metadata_ops(access, 1);
  H5Pset_coll_metadata_write(access, 1);
  return access;
}

int main(int count, char** words) {
  MPI_Init(&count, &words);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (count != 2) return 2;
  const hsize_t lengths[2] = {ROWS, COLUMNS}, chunk[2] = {1, CHUNK_COLUMNS};
  const hid_t access = together();
  hid_t file = H5Fcreate(words[1], H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hid_t space = H5Screate_simple(2, lengths, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 2, chunk);
  hid_t set = H5Dcreate2(file, "matrix", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  for (int row = 0; row < ROWS; ++row)
    for (int column = 0; column < COLUMNS; ++column) values[row][column] = 1;
  if (rank == 0) H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(set);
  H5Fclose(file);
  file = H5Fopen(words[1], H5F_ACC_RDONLY, access);
  set = H5Dopen2(file, "matrix", H5P_DEFAULT);
  if (rank == 0) {
    double sum = 0;
    if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) return 1;
    for (int row = 0; row < ROWS; ++row)
      for (int column = 0; column < COLUMNS; ++column) sum += values[row][column];
    printf("%.0f\n", sum);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  H5Dclose(set);
  H5Fclose(file);
  H5Pclose(creation);
  H5Pclose(access);
  H5Sclose(space);
  MPI_Finalize();
  return 0;
}
