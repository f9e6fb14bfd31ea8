-- purpose: Returns the decision on each break at a clock: the newest that was not undone.
-- rules:   acceptances, dismissals and approved write-offs decide a break; bans, forced matches and others wait for later
--          facts. A decision covers what the person saw. It ends (ended_at) with the first later event at which one of these
--          holds: the break is resolved; its class, order, charge, transaction, user or currency changes; its severity or
--          amount grows; its detail changes as break_classes.news says; an order without a charge was delivered in the
--          meantime; its time has passed. The id of a period's charge is no change when its line item becomes known.
-- note:    null selects all breaks; few breaks are found by their ids.
create or replace function payrecon.decided_breaks_at(clock timestamptz, break_ids text[] default null) returns table (
    break_id text, state text, case_id text, decision_id text, decided_by text, approved_by text, reason text,
    decided_at timestamptz, holds_until timestamptz, ended_at timestamptz
)
language sql stable parallel safe
as $$
    -- Found by break ids, whatever the number of decisions and of requested breaks.
    with naming_decision as materialized (
        select distinct naming.case_id, naming.decision_id
        from unnest(decided_breaks_at.break_ids) as requested (break_id)
        inner join payrecon.case_decisions as naming
            on naming.break_ids @> array[requested.break_id]
            and naming.action in ('accept', 'dismiss', 'write_off')
    ),
    effective as (
        select effective.*
        from payrecon.effective_decisions_at(clock) as effective
        where decided_breaks_at.break_ids is null
        union all
        select effective.*
        from naming_decision
        inner join payrecon.effective_decisions_at(clock) as effective using (case_id, decision_id)
        where decided_breaks_at.break_ids is not null
    ),
    covered as (
        select distinct on (item.break_id)
            item.break_id, item.seen_as_of, item.seen_attempt, proposal.case_id, proposal.decision_id, proposal.action,
            proposal.decided_by, effective.approved_by, proposal.reason, effective.at as decided_at, proposal.holds_until
        from effective
        inner join payrecon.case_decisions as proposal using (case_id, decision_id)
        cross join lateral unnest(proposal.break_ids, proposal.seen_as_of, proposal.seen_attempts)
            as item (break_id, seen_as_of, seen_attempt)
        where proposal.step = coalesce(effective.proposal_step, effective.step)
            and proposal.action in ('accept', 'dismiss', 'write_off')
        order by item.break_id asc, effective.at desc, proposal.decision_id asc
    ),
    seen as (
        select event.*
        from covered
        inner join payrecon.break_events as event
            on event.break_id = covered.break_id
            and event.as_of = covered.seen_as_of
            and event.attempt = covered.seen_attempt
    ),
    renamed as materialized (
        select renamed.stated_id, renamed.charge_id
        from payrecon.renamed_charges_at(clock, (select array_agg(seen.charge_id) from seen)) as renamed
    ),
    -- The newest event of each clock from the decision on.
    later as (
        select distinct on (event.break_id, event.as_of) event.*
        from covered
        inner join payrecon.break_events as event
            on event.break_id = covered.break_id
            and event.as_of >= covered.seen_as_of
        where event.as_of <= clock
        order by event.break_id asc, event.as_of asc, event.attempt desc
    ),
    fresh as (
        select later.break_id, min(later.as_of) as as_of
        from seen
        inner join later on later.break_id = seen.break_id
        left join payrecon.break_classes on break_classes.class = later.class
        left join renamed on renamed.stated_id = seen.charge_id
        where not later.is_open
            or later.class <> seen.class
            or payrecon.severity_rank(later.severity) > payrecon.severity_rank(seen.severity)
            or later.amount_milliunits > coalesce(seen.amount_milliunits, -1)
            or later.currency <> coalesce(seen.currency, '')
            or (later.is_delivered and not seen.is_delivered)
            or later.order_id <> coalesce(seen.order_id, '')
            or (
                later.charge_id <> coalesce(seen.charge_id, '')
                and later.charge_id is distinct from renamed.charge_id
            )
            or later.transaction_id <> coalesce(seen.transaction_id, '')
            or (later.user_id <> coalesce(seen.user_id, '') and (seen.user_id is not null or break_classes.is_of_user))
            or case break_classes.news
                when 'words' then not payrecon.stated_values(later.detail) <@ payrecon.stated_values(seen.detail)
                when 'side' then payrecon.difference_sign(later.detail) <> payrecon.difference_sign(seen.detail)
            end
        group by later.break_id
    )
    select
        covered.break_id,
        case covered.action when 'accept' then 'accepted' when 'dismiss' then 'dismissed' else 'written_off' end,
        covered.case_id, covered.decision_id, covered.decided_by, covered.approved_by, covered.reason,
        covered.decided_at, covered.holds_until,
        case
            when covered.holds_until <= clock then least(covered.holds_until, fresh.as_of)
            else fresh.as_of
        end
    from covered
    left join fresh on fresh.break_id = covered.break_id
$$;

-- Calls decided_breaks_at for breaks that are known only during the statement.
create or replace function payrecon.decided_breaks_of(clock timestamptz, wanted_ids text[]) returns table (
    break_id text, state text, case_id text, decision_id text, decided_by text, approved_by text, reason text,
    decided_at timestamptz, holds_until timestamptz, ended_at timestamptz
)
language plpgsql stable parallel safe
-- A custom plan, because the breaks are few.
set plan_cache_mode = force_custom_plan
as $$
begin
    if cardinality(wanted_ids) = 0 then
        return;
    end if;
    return query
    select decided.* from payrecon.decided_breaks_at(clock, wanted_ids) as decided;
end
$$;
