-- purpose: Gathers some cases of the console again: the named ones, or those that changed; returns the number of changes.
--          Runs with the owner's rights, so that a reviewer's login can refresh a case but not remove one.
-- note:    detected is the identity of the current state, null if the cases were already gathered from it; it is stored only
--          if it is correct.
create or replace function payrecon.console_gather(
    wanted timestamptz, named text[], detected text, row_max bigint
) returns bigint
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
-- Finds few cases by key, even if the planner would scan a small table.
set enable_seqscan = off
set plan_cache_mode = force_custom_plan
as $$
declare
    clock timestamptz := payrecon.console_clock($1);
    latest timestamptz;
    change_count bigint;
    wanted_cases text[];
    wanted_items text[];
begin
    with listed as materialized (
        select changed.number
        from payrecon.console_changed as changed
        where changed.at <= clock
            and (cardinality($2) = 0 or changed.case_id = any($2 collate "C"))
        order by changed.number
        limit $4
        for update skip locked
    ),
    removed as (
        delete from payrecon.console_changed
        using listed
        where console_changed.number = listed.number
        returning console_changed.case_id, console_changed.item_id
    ),
    ended as (
        select kept.case_id
        from payrecon.console_cases as kept
        where kept.changes_at <= clock
            and (cardinality($2) = 0 or kept.case_id = any($2 collate "C"))
        order by kept.changes_at
        limit $4
    ),
    change as (select removed.case_id, removed.item_id from removed union all select ended.case_id, null from ended)
    select count(*), coalesce(array_agg(change.case_id), '{}'), coalesce(array_agg(change.item_id), '{}')
    into change_count, wanted_cases, wanted_items
    from change;
    if $3 = payrecon.cases_rest_on(clock) and change_count < $4 then
        wanted_cases := wanted_cases || array(select again.case_id from payrecon.console_redetected(clock) as again);
        insert into payrecon.console_gathered as kept (id, detected, as_of, gathered_at, detected_at)
        select 1, $3, clock, clock_timestamp(), max(detections.as_of)
        from payrecon.detections
        where detections.as_of <= clock
        on conflict (id) do update
        set
            detected = excluded.detected,
            as_of = excluded.as_of,
            gathered_at = excluded.gathered_at,
            detected_at = excluded.detected_at;
    end if;
    wanted_cases := array(select distinct chosen.case_id from unnest(wanted_cases || $2) as chosen (case_id));
    -- Serializes callers that gather the same cases; the fixed order prevents deadlocks.
    perform pg_advisory_xact_lock(1885434792, lock_key.key)
    from (
        select distinct hashtext(chosen.case_id) as key from unnest(wanted_cases) as chosen (case_id) order by key
    ) as lock_key;
    wanted_items := wanted_items || array(
        select item.id
        from payrecon.console_cases as kept
        cross join lateral unnest(kept.item_ids) as item (id)
        where kept.case_id = any(wanted_cases collate "C")
    );
    wanted_items := array(select distinct chosen.id from unnest(wanted_items) as chosen (id) where chosen.id is not null);
    -- A clock before the latest act of a reviewer would store an outdated case that nobody gathers again.
    latest := payrecon.latest_act(wanted_cases);
    if latest > clock then
        clock := latest + interval '1 microsecond';
    end if;
    delete from payrecon.console_cases where console_cases.case_id = any(wanted_cases collate "C");
    perform payrecon.console_gather_cases(clock, wanted_items, wanted_cases);
    return change_count;
end
$$;
