#pragma once
#include <libpq-fe.h>
#include <spawn.h>

// GNU calls that Swift's Glibc module leaves out, for starting the private server.
extern int memfd_create(const char *name, unsigned int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
