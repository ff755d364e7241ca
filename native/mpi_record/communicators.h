/* Which ranks a communicator has, and which communicators of different ranks are one: all of its ranks make it, one
   after the other for each that it is made from, so that each can name it without asking the others. */
#pragma once
#include <mpi.h>
#include <stdio.h>

enum { TWO_GROUPS = -1 };

void know_the_world(void);

/* The number of the group of ranks in which messages of a communicator are matched. TWO_GROUPS for one between two. */
int group_of(MPI_Comm comm);
/* Another one, for the messages of neighbourhood collectives. */
int neighbours_group_of(MPI_Comm comm);
int world_rank_of(int group, int rank);

/* `made` was made from `parent` by all of the parent's ranks; MPI_COMM_NULL where this rank is not in it. */
void made_from(MPI_Comm parent, MPI_Comm made);
/* `made` was made by its own ranks alone. */
void made_apart(MPI_Comm made);
/* The name of the next that is made from `parent`. The caller frees it. */
char* next_name(MPI_Comm parent);
void made_as(const char* name, MPI_Comm made);

void write_groups(FILE* file);

int size_of(MPI_Comm comm);
int rank_in(MPI_Comm comm);
int has_two_groups(MPI_Comm comm);
