-- purpose: extends a scope by everything connected with it.
-- parameters: first_round, last_round (integer), rows_max (bigint), has_families, is_joining (boolean): see functions/scope/scope_close.sql
-- grain:   one row
select closed.done_round::bigint, closed.row_count, closed.has_more
from scope_close(
    :'first_round'::integer, :'last_round'::integer, :'rows_max'::bigint, :'has_families'::boolean, :'is_joining'::boolean
) as closed;
