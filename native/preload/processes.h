/* What a library that is loaded before a program tells of each of its processes. processes.c calls this, and says when;
   nothing here may allocate, wait or call what is observed. */
#pragma once
#include <stddef.h>

/* The variable that names the folder of the files. */
extern const char folder_variable[];

/* Return what the process's file is to contain, and its length. */
const char* told(size_t* length);

/* Begin anew: what is told of a child is its own. Only the calling thread exists. */
void forget(void);
