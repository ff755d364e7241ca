/* Where the function is that a call of a program is meant for, which a preloaded library has in its place. */
#pragma once

/* Return the handle by which dlsym finds the functions of a library that a caller's calls are bound to; NULL if there
   is none. RTLD_NEXT where the scope of all has the library, else that of the caller's own scope, as a package has it
   that Python loads; the object stays loaded then.

   function  one that the library has */
void* scope_of(const void* caller, const char* function);
