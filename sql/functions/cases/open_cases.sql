-- purpose: Returns cases with pending items as of the latest detection and decision: the items, their severity, and the
--          detection since which they are pending. Items covered by an acceptance, dismissal or proposal in force are not
--          pending.
create or replace function payrecon.open_cases() returns table (
    case_id text, names text[], severity text, bundle_ids text[], item_count bigint, at timestamptz
)
language plpgsql stable parallel safe
-- A custom plan for the current number of decisions: a plan made for ten takes an hour with a hundred thousand.
set plan_cache_mode = force_custom_plan
as $$
declare
    clock constant timestamptz := greatest(
        (select max(detections.as_of) from payrecon.detections),
        (select max(case_decisions.at) from payrecon.case_decisions),
        (select max(case_undos.at) from payrecon.case_undos)
    );
    decided_cases text[];
    decided_items text[];
    settled_cases text[];
begin
    -- Acts on cases without open items are not read.
    select array_agg(distinct item.case_id), array_agg(item.item_id)
    into decided_cases, decided_items
    from payrecon.open_items() as item
    where exists (select 1 from payrecon.case_decisions where case_decisions.case_id = item.case_id);

    settled_cases := array(
        select cases.case_id
        from payrecon.cases_at(clock, decided_items, decided_cases) as cases
        where decided_cases is not null
            and cases.status in ('closed', 'waiting_approval')
    );

    return query
    select
        item.case_id, array_agg(distinct item.name order by item.name), payrecon.severity_of(max(item.rank)),
        coalesce(
            array_agg(distinct item.bundle_id order by item.bundle_id) filter (where item.bundle_id is not null), '{}'
        ),
        count(*), max(item.as_of)
    from payrecon.open_items() as item
    where item.case_id not in (select unnest(settled_cases))
    group by item.case_id;
end
$$;
