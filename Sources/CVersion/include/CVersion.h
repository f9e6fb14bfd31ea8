#pragma once

/// Commit that was built, with a plus sign if files of the clone were changed; empty outside a clone.
const char *built_commit(void);
