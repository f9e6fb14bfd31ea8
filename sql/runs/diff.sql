-- purpose: differences between the open breaks after run A and after run B, break by break, with cause.
-- parameters: run_a, run_b (text)
-- grain:   one row per break that appeared, disappeared or changed between the two
with side as (
    select distinct on (chosen.label)
        chosen.label, runs.run_id, runs.as_of, runs.started_at, runs.settings_sha256, runs.code_version
    from (values ('a', :'run_a'::text), ('b', :'run_b'::text)) as chosen (label, run_id)
    inner join runs on runs.run_id = chosen.run_id
    order by chosen.label asc, runs.attempt desc
),
first_start as (select run_id, min(started_at) as started_at from runs group by run_id),
state as (
    select distinct on (side.label, break_events.break_id) side.label, break_events.*
    from side
    inner join break_events on break_events.as_of <= side.as_of
    inner join first_start
        on first_start.run_id = break_events.run_id
        -- Entries that a later run wrote about an earlier clock were unknown to this run.
        and first_start.started_at <= side.started_at
    order by side.label asc, break_events.break_id asc, break_events.as_of desc, first_start.started_at desc,
        break_events.attempt desc
),
a as (select * from state where label = 'a' and is_open),
b as (select * from state where label = 'b' and is_open),
compared as (
    select
        coalesce(b.break_id, a.break_id) as break_id,
        case when a.break_id is null then 'appeared' when b.break_id is null then 'resolved' else 'changed' end as change,
        a.class as class_a, b.class as class_b, a.amount_milliunits as amount_a_milliunits,
        b.amount_milliunits as amount_b_milliunits, a.detail as detail_a, b.detail as detail_b,
        coalesce(b.order_id, a.order_id) as order_id,
        coalesce(b.charge_id, a.charge_id) as charge_id,
        coalesce(b.transaction_id, a.transaction_id) as transaction_id
    from a
    full join b on b.break_id = a.break_id
    where a.break_id is null
        or b.break_id is null
        or (a.class, a.severity, a.amount_milliunits, a.currency, a.detail)
        is distinct from (b.class, b.severity, b.amount_milliunits, b.currency, b.detail)
),
bounds as (
    select
        side_a.as_of as as_of_a, side_b.as_of as as_of_b,
        least(side_a.as_of, side_b.as_of) as low_at, greatest(side_a.as_of, side_b.as_of) as high_at,
        side_a.settings_sha256 <> side_b.settings_sha256 as has_other_settings,
        side_a.code_version <> side_b.code_version as has_other_code,
        side_a.code_version as code_a, side_b.code_version as code_b
    from side as side_a
    inner join side as side_b on side_b.label = 'b'
    where side_a.label = 'a'
),
-- Facts about the break that were ingested between the two clocks, with their own instants.
new_fact as (
    select compared.break_id, orders.batch_id, coalesce(orders.updated_at, orders.created_at) as happened_at
    from compared
    inner join orders on orders.order_id = compared.order_id
    union all
    select compared.break_id, order_versions.batch_id, coalesce(order_versions.updated_at, order_versions.created_at)
    from compared
    inner join order_versions on order_versions.order_id = compared.order_id
    union all
    select compared.break_id, charges.batch_id, charges.purchased_at
    from compared
    inner join charges on charges.charge_id = compared.charge_id
    union all
    select compared.break_id, evidence.batch_id, evidence.signed_at
    from compared
    inner join evidence on evidence.transaction_id = compared.transaction_id
),
-- A late fact happened before the earlier clock and was ingested after it.
fresh as (
    select
        new_fact.break_id, string_agg(distinct batches.file_name, ' ' order by batches.file_name) as files,
        string_agg(distinct batches.file_name, ' ' order by batches.file_name) filter (where new_fact.happened_at <= bounds.low_at)
            as late_files
    from new_fact
    inner join batches on batches.batch_id = new_fact.batch_id
    cross join bounds
    where batches.known_at > bounds.low_at
        and batches.known_at <= bounds.high_at
    group by new_fact.break_id
),
was_pending as (select pending.break_id from bounds cross join lateral pending_breaks_at(bounds.as_of_a) as pending)
select
    compared.break_id, compared.change, compared.class_a, compared.class_b, compared.amount_a_milliunits,
    compared.amount_b_milliunits, compared.order_id, compared.charge_id, compared.transaction_id,
    case
        when fresh.late_files is not null then 'late facts: ' || fresh.late_files
        when fresh.files is not null then 'input: ' || fresh.files
        when compared.change = 'appeared'
            and exists (select 1 from was_pending where was_pending.break_id = compared.break_id)
            then 'grace time ended'
        when bounds.has_other_settings then 'settings'
        when bounds.has_other_code then 'code: ' || bounds.code_a || ' to ' || bounds.code_b
        when bounds.as_of_a <> bounds.as_of_b then 'clock'
        else 'input read again'
    end as cause,
    english(compared.detail_a) as detail_a, english(compared.detail_b) as detail_b
from compared
cross join bounds
left join fresh on fresh.break_id = compared.break_id
order by coalesce(compared.class_b, compared.class_a), compared.change, compared.break_id;
