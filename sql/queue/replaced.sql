-- purpose: decisions about an order and a charge that a new decision would replace, because they contradict it.
-- parameters: order_id, charge_id, action (text): of the new decision
-- grain:   one row per replaced decision, newest first
with meant as materialized (
    select coalesce(max(renamed.charge_id), :'charge_id'::text) as charge_id
    from renamed_charges_at('infinity', array[:'charge_id'::text]) as renamed
),
wanted as materialized (
    select settles.thing, settles.settled
    from meant
    cross join lateral resolves_pair(:'order_id'::text, meant.charge_id, :'action'::text) as settles
),
earlier as materialized (
    select distinct
        words.action, words.order_id, words.charge_id, words.decided_by, words.approved_by, words.case_id, words.at, words.decision_id
    from decided_pairs_at('infinity') as words
    cross join lateral resolves_pair(words.order_id, words.charge_id, words.action) as settles
    inner join wanted on wanted.thing = settles.thing and wanted.settled <> settles.settled
)
select
    earlier.action, earlier.order_id, earlier.charge_id, earlier.decided_by, earlier.approved_by, earlier.case_id,
    rfc3339(earlier.at) as at
from earlier
order by earlier.at desc, earlier.decision_id desc;
