-- purpose: counts of the items that a run read, by outcome.
-- parameters: run_id (text)
-- grain:   one row per kind of input
select
    kind,
    sum(input_count)::bigint as input_count,
    sum(accepted_count)::bigint as accepted_count,
    sum(repeated_count)::bigint as repeated_count,
    sum(ignored_count)::bigint as ignored_count,
    sum(parked_count)::bigint as parked_count
from batches
where run_id = :'run_id'::text
group by kind
order by kind;
