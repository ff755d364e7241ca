/* What a rank does, kept in its order until MPI_Finalize: work between calls, and what the calls exchange. Of a receive
   from anybody the sender is known only when it has ended: its event is changed then. */
#pragma once
#include <mpi.h>
#include <stddef.h>

enum what { WORK, SEND, RECEIVE, WAIT, COLLECTIVE, NOT_SIMULATED, NOTHING };

struct event {
  enum what what;
  const char* name; /* of a collective call, or of one that is not simulated */
  long long bytes, ns;
  long long* counts; /* bytes to or of each member; NULL where all are the same */
  int members, partner, tag, request, polls, group, root;
};

enum { NO_REQUEST = -1 };

/* Whether calls are recorded: between MPI_Init and MPI_Finalize, of the thread that initialised MPI. */
int recorded(void);

void begin(void);
/* Write what was kept to the file RANK of the folder that ROOFTOP_MPI_RECORD names. */
void end(void);

/* A call begins, or ends: the time between an end and the next beginning is work. A poll that found nothing is none:
   its time counts as nothing, and what lies between two of them only where that is more than a loop around them takes.
 */
void enter(void);
void leave(void);
void polled(void);

/* Adding an event moves the others: what add() returned before is no longer there. */
struct event* add(enum what what);
size_t number_of_events(void);
struct event* event_at(size_t number);
/* Take the last event away, and return it. */
struct event taken_back(void);

struct event* message(enum what what, long long bytes, int peer, int tag, MPI_Comm comm);
struct event* message_in(int group, enum what what, long long bytes, int peer, int tag);
struct event* collective(const char* name, long long bytes, int root, MPI_Comm comm);
void not_simulated(const char* name);
/* A receive has ended; `status` says who sent the message. */
void came(struct event* event, const MPI_Status* status);

long long bytes_of(long long count, MPI_Datatype type);
