-- purpose: which kinds of input were never read: without orders or evidence a reconciliation is incomplete.
-- parameters: as_of (timestamptz)
-- grain:   one row per missing kind
select needed.kind
from (values ('orders'), ('apple')) as needed (kind)
where not exists (
    select
    from batches
    where batches.kind = needed.kind
        and batches.known_at <= :'as_of'::timestamptz
        and batches.input_count > 0
)
order by needed.kind;
