-- purpose: Lists every case of the console for gathering if due: cases were never listed, or were gathered at a future
--          clock. A case may consist of decisions alone.
-- note:    the caller commits console_begin before, so that acts during the listing are distinguished from listed ones.
create or replace function payrecon.console_begin(wanted timestamptz) returns void
language sql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
    insert into payrecon.console_gathered (id, detected, as_of, gathered_at)
    values (1, '', payrecon.console_clock($1), clock_timestamp())
    on conflict do nothing
$$;

create or replace function payrecon.console_list(wanted timestamptz) returns void
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
declare
    clock timestamptz := payrecon.console_clock($1);
begin
    perform pg_advisory_xact_lock(1885434791);
    update payrecon.console_gathered
    set
        detected = '',
        as_of = clock,
        gathered_at = clock_timestamp(),
        -- Listed, but not yet from any detection.
        detected_at = '-infinity'
    where (console_gathered.detected = '' and console_gathered.detected_at is null)
        or console_gathered.as_of > greatest(clock, clock_timestamp());
    if not found then
        return;
    end if;
    delete from payrecon.console_changed where console_changed.at <= clock;
    delete from payrecon.console_cases;
    with found as materialized (
        select distinct
            payrecon.case_id_of_break(
                break_events.user_id, break_events.order_id, break_events.charge_id, break_events.break_id
            ) as case_id,
            break_events.break_id as item_id
        from payrecon.break_events
        where break_events.as_of <= clock
        union all
        select distinct
            payrecon.case_id_of_signal(signal_events.user_id, signal_events.subject_kind, signal_events.subject_id),
            signal_events.signal_id
        from payrecon.signal_events
        where signal_events.as_of <= clock
    )
    insert into payrecon.console_changed (case_id, item_id, at)
    select found.case_id, found.item_id, clock
    from found
    union all
    select distinct case_decisions.case_id, null::text, clock
    from payrecon.case_decisions
    where case_decisions.case_id not in (select found.case_id from found);
end
$$;

-- Discards the changed cases while nobody has opened the console; all cases are listed when somebody does.
create or replace function payrecon.console_forget_unseen() returns void
language sql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
    delete from payrecon.console_changed
    where not exists (select 1 from payrecon.console_gathered)
$$;
