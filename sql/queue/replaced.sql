-- purpose: decisions about an order and a charge that count no longer once another one takes effect, as it says otherwise.
-- parameters: order_id, charge_id, action (text): what the other one says
-- grain:   one row per such decision, the newest first
with meant as materialized (
    select coalesce(max(renamed.charge_id), :'charge_id'::text) as charge_id
    from renamed_charges_at('infinity', array[:'charge_id'::text]) as renamed
),
wanted as materialized (
    select settles.thing, settles.settled
    from meant
    cross join lateral resolves_pair(:'order_id'::text, meant.charge_id, :'action'::text) as settles
),
standing as materialized (
    select distinct
        words.action, words.order_id, words.charge_id, words.decided_by, words.approved_by, words.case_id, words.at, words.decision_id
    from decided_pairs_at('infinity') as words
    cross join lateral resolves_pair(words.order_id, words.charge_id, words.action) as settles
    inner join wanted on wanted.thing = settles.thing and wanted.settled <> settles.settled
)
select
    standing.action, standing.order_id, standing.charge_id, standing.decided_by, standing.approved_by, standing.case_id,
    rfc3339(standing.at) as at
from standing
order by standing.at desc, standing.decision_id desc;
