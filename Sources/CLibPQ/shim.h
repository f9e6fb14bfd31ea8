#pragma once
#include <libpq-fe.h>

// A GNU call that Swift's Glibc module lacks; it is used to start the private server.
extern int memfd_create(const char *name, unsigned int flags);
