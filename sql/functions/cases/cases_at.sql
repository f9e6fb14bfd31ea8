-- purpose: Returns cases at a clock: subject, assignee, and the decision in force. item_ids selects the breaks and signals (all
--          of a case or none; null for all). case_ids selects cases, whose acts are then found by id; null selects the cases
--          of the items.
create or replace function payrecon.cases_at(clock timestamptz, item_ids text[] default null, case_ids text[] default null) returns table (
    case_id text, status text, subject_kind text, subject_id text, rank integer, signal_count bigint,
    break_count bigint, names text, amount_milliunits numeric, currency text, opened_at timestamptz,
    due_at timestamptz, taken_by text, lease_until timestamptz, action text, outcome text, reason text,
    decided_by text, decided_at timestamptz, approved_by text, approved_at timestamptz, bundle_ids text,
    decided_account text, approved_account text
)
language sql stable parallel safe
as $$
    with item as (
        select items.* from payrecon.reviewed_items_at(clock, cases_at.item_ids, cases_at.case_ids) as items
    ),
    review as (select reviews.* from payrecon.reviews_at(clock, cases_at.case_ids) as reviews),
    decided_case as (
        -- An item of a charge may belong to a user's case today. Acts stay in the original case, so that a second person can
        -- still approve or undo them there.
        select review.case_id, review.subject_kind, review.subject_id, review.last_at as opened_at
        from review
        where review.step is not null
            and (cases_at.item_ids is null or cases_at.case_ids is not null)
        union all
        -- Links to named cases may have been sent to others: these cases show rejected and undone proposals, too.
        (
            select distinct on (case_decisions.case_id)
                case_decisions.case_id, case_decisions.subject_kind, case_decisions.subject_id, case_decisions.at
            from payrecon.case_decisions
            where case_decisions.at <= clock
                and case_decisions.case_id = any(cases_at.case_ids collate "C")
                and case_decisions.case_id not in (select review.case_id from review where review.step is not null)
            order by case_decisions.case_id asc, case_decisions.at asc, case_decisions.decision_id asc
        )
    ),
    -- The amount at stake per currency. Each order counts once, however many items name it. A charge counts the greater of its
    -- signal's amount and the sum of its orders. A signal over many items counts the greater of its sum and the items' sum.
    item_amount as (
        select
            item.case_id, item.item_id, item.order_id, item.amount_milliunits,
            case
                when item.order_id is null then item.charge_id
                else max(item.charge_id) over (partition by item.case_id, item.order_id)
            end as charge_id,
            item.amount_of
        from item
        where item.counts
    ),
    part_amount as (
        select
            item_amount.case_id, item_amount.amount_of,
            case when item_amount.amount_of <> 'sum' then item_amount.charge_id end as charge_id,
            case item_amount.amount_of
                when 'order'
                    then coalesce('order:' || item_amount.order_id, 'charge:' || item_amount.charge_id, item_amount.item_id)
            end as order_id,
            max(item_amount.amount_milliunits) as amount_milliunits
        from item_amount
        group by 1, 2, 3, 4
    ),
    charge_amount as (
        select
            part_amount.case_id,
            greatest(
                sum(part_amount.amount_milliunits) filter (where part_amount.amount_of = 'order'),
                max(part_amount.amount_milliunits) filter (where part_amount.amount_of = 'charge')
            ) as amount_milliunits,
            max(part_amount.amount_milliunits) filter (where part_amount.amount_of = 'sum') as summed
        from part_amount
        group by part_amount.case_id, coalesce(part_amount.charge_id, part_amount.order_id)
    ),
    case_amount as (
        select charge_amount.case_id, greatest(sum(charge_amount.amount_milliunits), max(charge_amount.summed)) as amount_milliunits
        from charge_amount
        group by charge_amount.case_id
    ),
    gathered as (
        select
            item.case_id,
            min(item.subject_kind) as subject_kind,
            min(item.subject_id) as subject_id,
            bool_or(item.is_undecided) as is_undecided,
            max(item.rank) filter (where item.counts) as rank,
            count(*) filter (where item.counts and item.item_kind = 'signal') as signal_count,
            count(*) filter (where item.counts and item.item_kind = 'break') as break_count,
            string_agg(distinct item.name collate "C", ' ' order by item.name collate "C")
                filter (where item.counts) as names,
            string_agg(distinct item.bundle_id collate "C", ' ' order by item.bundle_id collate "C")
                filter (where item.counts) as bundle_ids,
            max(case_amount.amount_milliunits) as amount_milliunits,
            case
                when min(item.currency) filter (where item.counts) = max(item.currency) filter (where item.counts)
                    then min(item.currency) filter (where item.counts)
            end as currency,
            min(item.opened_at) as opened_at,
            min(item.due_at) filter (where item.is_undecided) as due_at
        from item
        left join case_amount on case_amount.case_id = item.case_id
        group by item.case_id
        union all
        -- The cases without items.
        select
            decided_case.case_id, decided_case.subject_kind, decided_case.subject_id, false, null, 0, 0, null, null, null, null,
            decided_case.opened_at, null
        from decided_case
        where decided_case.case_id not in (select item.case_id from item)
    )
    select
        gathered.case_id,
        case
            when review.is_proposed then 'waiting_approval'
            when review.taken_by is not null and gathered.is_undecided then 'taken'
            when gathered.is_undecided then 'open'
            when review.step = 'effective' then 'closed'
            else 'lapsed'
        end,
        gathered.subject_kind, gathered.subject_id, coalesce(gathered.rank, 0), gathered.signal_count,
        gathered.break_count, gathered.names,
        -- Amounts of different currencies are never added.
        case when gathered.currency is not null then gathered.amount_milliunits end,
        gathered.currency, gathered.opened_at, gathered.due_at,
        review.taken_by, review.lease_until, verdict.action, verdict.outcome, verdict.reason, verdict.decided_by, verdict.decided_at,
        verdict.approved_by, verdict.approved_at, gathered.bundle_ids, verdict.decided_account, verdict.approved_account
    from gathered
    left join review on review.case_id = gathered.case_id
    -- A decision on named findings is no verdict on a case of which others are undecided.
    left join review as verdict
        on verdict.case_id = gathered.case_id
        and (verdict.is_proposed or verdict.scope = 'case' or verdict.action = 'ban' or not gathered.is_undecided)
$$;
