#include "CVersion.h"

const char *built_commit(void) { return BUILT_COMMIT; }
