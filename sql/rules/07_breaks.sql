-- purpose: open breaks, for the rules that use detect's findings.
-- grain:   one row per open break
create temp table rule_break on commit drop as
select break_events.*
from open_break_events as break_events;
