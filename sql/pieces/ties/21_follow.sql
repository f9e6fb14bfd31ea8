-- purpose: follows hooks to their root; repeated until no row changes.
-- grain:   one row per moved label
update cut_hook
set root = farther.root
from cut_hook as farther
where farther.label = cut_hook.root;
