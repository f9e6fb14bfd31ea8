#pragma once
#include <libpq-fe.h>

// A GNU call that Swift's Glibc module leaves out, for starting the private server.
extern int memfd_create(const char *name, unsigned int flags);
