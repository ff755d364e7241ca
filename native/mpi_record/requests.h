/* What is under way, by the handle of its request. An event that is not waited for at once has a number, which is free
   again after the wait: the lowest that is free, so that what a program repeats has the same numbers each time. */
#pragma once
#include <mpi.h>

#include "events.h"

int number_taken(void);
/* Wait for the number: an event, after which it is free. */
void wait_for(int number);

/* The last `events` end with a request. */
void under_way(int events, MPI_Request request);
/* The last `events` are waited for at once. */
void wait_for_last(int events);
/* The last event is what a persistent request does, each time that it starts. */
void persistent(MPI_Request request);
/* `*made` is a communicator of that name once the request, which was begun last, has ended. The name is the callee's.
 */
void makes(MPI_Comm* made, char* name);

void started(MPI_Request request);
/* A request is no more, and `status` is what it has ended with; NULL if it has not. */
void freed(MPI_Request request, const MPI_Status* status);
void ended(MPI_Request request, const MPI_Status* status);
/* MPI ends: what is under way has to end before. */
void wait_for_all(void);

/* A message that was found before it is received. */
void matched(MPI_Message message, const MPI_Status* status, MPI_Comm comm);
/* Add its receive. Returns how many events that are: none where nobody sent it. */
int receive_of(MPI_Message message);
