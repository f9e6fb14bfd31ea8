-- purpose: why charges have an order since a clock, or have none any more: the charge became known later, people decided it, or
--          it was matched again.
-- parameters: charge_ids (text[]), since, as_of (timestamptz)
-- grain:   one row per charge
with wanted as (
    select distinct entry.charge_id from unnest(:'charge_ids'::text[]) as entry (charge_id)
),
known as (
    select transactions.charge_id, min(batches.known_at) as known_at
    from payrecon.transactions
    inner join payrecon.batches on batches.batch_id = transactions.batch_id
    where transactions.charge_id = any(:'charge_ids'::text[])
    group by transactions.charge_id
),
decided as (
    select matches.charge_id
    from payrecon.matches
    where matches.charge_id = any(:'charge_ids'::text[])
        and matches.rung = 'M0'
        and matches.valid_from > :'since'::timestamptz
        and matches.valid_from <= :'as_of'::timestamptz
    union
    select ended_matches.charge_id
    from payrecon.ended_matches
    where ended_matches.charge_id = any(:'charge_ids'::text[])
        and ended_matches.rung = 'M0'
        and ended_matches.valid_to > :'since'::timestamptz
        and ended_matches.valid_from <= :'as_of'::timestamptz
    union
    -- A decision to unmatch leaves no match.
    select case_decisions.charge_id
    from payrecon.case_decisions
    where case_decisions.charge_id = any(:'charge_ids'::text[])
        and case_decisions.action in ('forced_match', 'unmatch', 'benign_duplicate')
        and case_decisions.step = 'effective'
        and case_decisions.at > :'since'::timestamptz
        and case_decisions.at <= :'as_of'::timestamptz
)
select
    wanted.charge_id,
    case
        when known.known_at > :'since'::timestamptz then 'late_fact'
        when decided.charge_id is not null then 'decision'
        else 're_match'
    end as cause
from wanted
left join known on known.charge_id = wanted.charge_id
left join decided on decided.charge_id = wanted.charge_id
order by wanted.charge_id collate "C";
