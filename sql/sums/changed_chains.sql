-- purpose: chains with a charge, match, refund or difference that changed since an earlier clock.
-- parameters: since (timestamptz): that clock, before the report's clock
-- grain:   one row per chain
with disputed as materialized (
    select break_events.charge_id
    from payrecon.break_events
    where break_events.as_of > :'since'::timestamptz
        and break_events.family = 'charge_open'
    union
    select pending_breaks.charge_id
    from payrecon.pending_breaks
    where pending_breaks.valid_from > :'since'::timestamptz
        and pending_breaks.family = 'charge_open'
    union
    select ended_pending_breaks.charge_id
    from payrecon.ended_pending_breaks
    where ended_pending_breaks.valid_to > :'since'::timestamptz
        and ended_pending_breaks.family = 'charge_open'
)
insert into sums_chain (chain)
select transactions.original_transaction_id
from payrecon.transactions
where transactions.batch_id = any(array(select batches.batch_id from payrecon.batches where batches.known_at > :'since'::timestamptz))
union
select matches.original_transaction_id
from payrecon.matches
where matches.valid_from > :'since'::timestamptz
union
select ended_matches.original_transaction_id
from payrecon.ended_matches
where ended_matches.valid_to > :'since'::timestamptz
union
select charges.original_transaction_id
from payrecon.charges
where charges.revoked_at > :'since'::timestamptz
    and charges.revoked_at <= payrecon.viewed_at()
union
select charges.original_transaction_id
from payrecon.charges
where charges.reversed_at > :'since'::timestamptz
    and charges.reversed_at <= payrecon.viewed_at()
union
select charges.original_transaction_id
from disputed
inner join payrecon.charges on charges.charge_id = disputed.charge_id;
