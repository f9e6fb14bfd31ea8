#pragma once
#include <malloc.h>
#include <spawn.h>

// GNU calls that Swift's Glibc module lacks.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
