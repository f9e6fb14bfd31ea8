-- purpose: conditions that a period does not meet for its close, in the order of the work; period_obstacles numbers them.
-- parameters: period (text), as_of, at (timestamptz): clocks of the reports and of the act; target (text): coverage in percent
-- grain:   one row per condition that is not met
select found.place::bigint as place, found.obstacle::text as obstacle
from period_obstacles(:'period'::text, :'as_of'::timestamptz, :'at'::timestamptz, :'target'::text::numeric) as found
order by found.place;
