-- purpose: what hangs on to a label that hangs on to another hangs on to that one; again and again, until nothing does.
-- grain:   one row per label that moved
update cut_hook
set root = farther.root
from cut_hook as farther
where farther.label = cut_hook.root;
