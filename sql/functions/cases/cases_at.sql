-- purpose: Returns cases at a clock: subject, assignee, and decisions in force. item_ids selects the breaks and signals (all
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
    with undone as (
        select case_undos.case_id, case_undos.decision_id
        from payrecon.case_undos
        where case_undos.step = 'effective'
            and case_undos.at <= clock
            and (cases_at.case_ids is null or case_undos.case_id = any(cases_at.case_ids collate "C"))
    ),
    -- Proposed undos that await a second approval.
    undo_proposal as (
        select distinct on (case_undos.case_id) case_undos.*
        from payrecon.case_undos
        where case_undos.step = 'proposed'
            and case_undos.at <= clock
            and (cases_at.case_ids is null or case_undos.case_id = any(cases_at.case_ids collate "C"))
            and not exists (
                select 1
                from payrecon.case_undos as later
                where later.case_id = case_undos.case_id
                    and later.decision_id = case_undos.decision_id
                    and later.undo_id = case_undos.undo_id
                    and later.step <> 'proposed'
                    and later.at <= clock
            )
        order by case_undos.case_id asc, case_undos.at desc, case_undos.undo_id asc
    ),
    last_decision as (
        select distinct on (case_decisions.case_id) case_decisions.*
        from payrecon.case_decisions
        where case_decisions.at <= clock
            and (cases_at.case_ids is null or case_decisions.case_id = any(cases_at.case_ids collate "C"))
            -- Excludes decisions that were withdrawn or rejected before they took effect.
            and not exists (
                select 1
                from payrecon.case_decisions as ended
                where ended.case_id = case_decisions.case_id
                    and ended.decision_id = case_decisions.decision_id
                    and ended.step in ('rejected', 'withdrawn')
                    and ended.at <= clock
            )
            and not exists (
                select 1
                from undone
                where undone.case_id = case_decisions.case_id
                    and undone.decision_id = case_decisions.decision_id
            )
        order by case_decisions.case_id asc, case_decisions.at desc, (case_decisions.step = 'proposed') asc,
            case_decisions.decision_id asc
    ),
    first_decision as (
        select distinct on (case_decisions.case_id)
            case_decisions.case_id, case_decisions.subject_kind, case_decisions.subject_id, case_decisions.at
        from payrecon.case_decisions
        where case_decisions.at <= clock
            and case_decisions.case_id = any(cases_at.case_ids collate "C")
        order by case_decisions.case_id asc, case_decisions.at asc, case_decisions.decision_id asc
    ),
    proposal as (
        select case_decisions.case_id, case_decisions.decision_id, case_decisions.at
        from payrecon.case_decisions
        where case_decisions.step = 'proposed'
            and (cases_at.case_ids is null or case_decisions.case_id = any(cases_at.case_ids collate "C"))
    ),
    closing as (
        select closings.*
        from payrecon.closings_at(clock) as closings
        where (cases_at.case_ids is null or closings.case_id = any(cases_at.case_ids collate "C"))
    ),
    lease as (
        select distinct on (case_events.case_id) case_events.*
        from payrecon.case_events
        where case_events.at <= clock
            and (cases_at.case_ids is null or case_events.case_id = any(cases_at.case_ids collate "C"))
        order by case_events.case_id asc, case_events.at desc, (case_events.action = 'taken') asc,
            case_events.person asc
    ),
    case_item as (
        select items.*
        from payrecon.case_items_at(clock, cases_at.item_ids) as items
        where (cases_at.case_ids is null or items.case_id = any(cases_at.case_ids collate "C"))
    ),
    settled as (
        select case_item.item_kind, case_item.item_id, max(closing.at) as at
        from case_item
        inner join closing on closing.case_id = case_item.case_id
        where case
                -- A decided break is pending or not by its own state. After a decision on a pair the next detection decides,
                -- and its findings are pending again.
                when case_item.item_kind = 'break'
                    then case_item.item_id = any(closing.break_ids)
                        and closing.action not in ('accept', 'dismiss', 'write_off')
                        and not (
                            closing.action in ('forced_match', 'unmatch', 'benign_duplicate')
                            and exists (
                                select 1
                                from payrecon.detections
                                where detections.as_of > closing.at
                                    and detections.as_of <= clock
                            )
                        )
                else closing.scope = 'case' or case_item.order_id = closing.order_id or case_item.charge_id = closing.charge_id
            end
        group by case_item.item_kind, case_item.item_id
    ),
    item as (
        select
            case_item.*,
            case_item.is_open and not case_item.is_decided and case_item.since_at > coalesce(settled.at, '-infinity') as is_waiting
        from case_item
        left join settled
            on settled.item_kind = case_item.item_kind
            and settled.item_id = case_item.item_id
    ),
    -- A case is about its pending items; without any, about its open ones.
    chosen as (
        select
            item.*,
            case when bool_or(item.is_waiting) over (partition by item.case_id) then item.is_waiting else item.is_open end
                as counts
        from item
    ),
    -- The amount at stake per currency. Each order counts once, however many items name it. A charge counts the greater of
    -- its signal's amount and the sum of its orders. A signal over many items counts the greater of its sum and the items'
    -- sum.
    item_amount as (
        select
            chosen.case_id, chosen.item_id, chosen.order_id, chosen.amount_milliunits,
            case
                when chosen.order_id is null then chosen.charge_id
                else max(chosen.charge_id) over (partition by chosen.case_id, chosen.order_id)
            end as charge_id,
            case
                when chosen.item_kind = 'break'
                    or chosen.item_id = payrecon.signal_hash(chosen.name, 'order', chosen.order_id)
                    then 'order'
                when chosen.item_id = payrecon.signal_hash(chosen.name, 'charge', chosen.charge_id) then 'charge'
                else 'sum'
            end as amount_of
        from chosen
        where chosen.counts
    ),
    order_amount as (
        select
            item_amount.case_id, item_amount.charge_id,
            coalesce('order:' || item_amount.order_id, 'charge:' || item_amount.charge_id, item_amount.item_id) as id,
            max(item_amount.amount_milliunits) as amount_milliunits
        from item_amount
        where item_amount.amount_of = 'order'
        group by 1, 2, 3
    ),
    charge_amount as (
        select
            each_order.case_id, each_order.id,
            greatest(sum(each_order.amount_milliunits), max(each_order.signalled)) as amount_milliunits
        from (
            select
                order_amount.case_id, coalesce(order_amount.charge_id, order_amount.id) as id, order_amount.amount_milliunits,
                null::bigint as signalled
            from order_amount
            union all
            select item_amount.case_id, item_amount.charge_id, null::bigint, item_amount.amount_milliunits
            from item_amount
            where item_amount.amount_of = 'charge'
        ) as each_order
        group by each_order.case_id, each_order.id
    ),
    case_amount as (
        select each_once.case_id, greatest(sum(each_once.amount_milliunits), max(each_once.summed)) as amount_milliunits
        from (
            select charge_amount.case_id, charge_amount.amount_milliunits, null::bigint as summed from charge_amount
            union all
            select item_amount.case_id, null::numeric, item_amount.amount_milliunits from item_amount where item_amount.amount_of = 'sum'
        ) as each_once
        group by each_once.case_id
    ),
    gathered as (
        select
            chosen.case_id,
            min(chosen.subject_kind) as subject_kind,
            min(chosen.subject_id) as subject_id,
            bool_or(chosen.is_waiting) as is_waiting,
            max(chosen.rank) filter (where chosen.counts) as rank,
            count(*) filter (where chosen.counts and chosen.item_kind = 'signal') as signal_count,
            count(*) filter (where chosen.counts and chosen.item_kind = 'break') as break_count,
            string_agg(distinct chosen.name collate "C", ' ' order by chosen.name collate "C")
                filter (where chosen.counts) as names,
            string_agg(distinct chosen.bundle_id collate "C", ' ' order by chosen.bundle_id collate "C")
                filter (where chosen.counts) as bundle_ids,
            case
                when min(chosen.currency) filter (where chosen.counts) = max(chosen.currency) filter (where chosen.counts)
                    then max(case_amount.amount_milliunits)
            end as amount_milliunits,
            case
                when min(chosen.currency) filter (where chosen.counts) = max(chosen.currency) filter (where chosen.counts)
                    then min(chosen.currency) filter (where chosen.counts)
            end as currency,
            min(chosen.opened_at) as opened_at,
            min(chosen.due_at) filter (where chosen.is_waiting) as due_at
        from chosen
        left join case_amount on case_amount.case_id = chosen.case_id
        group by chosen.case_id
        union all
        -- An item of a charge may belong to a user's case today. Acts stay in the original case, so that a second person can
        -- still approve or undo them there.
        select
            last_decision.case_id, last_decision.subject_kind, last_decision.subject_id, false, null, 0, 0, null, null, null, null,
            last_decision.at, null
        from last_decision
        where (cases_at.item_ids is null or cases_at.case_ids is not null)
            and last_decision.case_id not in (select chosen.case_id from chosen)
        union all
        -- A named case also shows rejected and undone proposals, because its link may have been sent to others.
        select
            first_decision.case_id, first_decision.subject_kind, first_decision.subject_id, false, null, 0, 0, null, null, null, null,
            first_decision.at, null
        from first_decision
        where first_decision.case_id not in (select chosen.case_id from chosen)
            and first_decision.case_id not in (select last_decision.case_id from last_decision)
    )
    select
        gathered.case_id,
        case
            when undo_proposal.case_id is not null or last_decision.step = 'proposed' then 'waiting_approval'
            when lease.action = 'taken' and lease.lease_until > clock and gathered.is_waiting then 'taken'
            when gathered.is_waiting then 'open'
            when last_decision.step = 'effective' then 'closed'
            else 'lapsed'
        end,
        gathered.subject_kind, gathered.subject_id, coalesce(gathered.rank, 0), gathered.signal_count,
        gathered.break_count, gathered.names, gathered.amount_milliunits, gathered.currency, gathered.opened_at, gathered.due_at,
        case when lease.action = 'taken' and lease.lease_until > clock then lease.person end,
        case when lease.action = 'taken' and lease.lease_until > clock then lease.lease_until end,
        case when undo_proposal.case_id is not null then 'undo' else last_decision.action end, last_decision.outcome,
        coalesce(undo_proposal.reason, last_decision.reason), coalesce(undo_proposal.asked_by, last_decision.decided_by),
        coalesce(undo_proposal.at, proposal.at, last_decision.at),
        case when undo_proposal.case_id is null then last_decision.approved_by end,
        case when undo_proposal.case_id is null and last_decision.approved_by is not null then last_decision.at end,
        gathered.bundle_ids,
        case
            when undo_proposal.case_id is not null then undo_proposal.account
            when last_decision.proposal_step is not null then last_decision.proposal_account
            else last_decision.account
        end,
        case when undo_proposal.case_id is null and last_decision.approved_by is not null then last_decision.account end
    from gathered
    left join last_decision on last_decision.case_id = gathered.case_id
    left join undo_proposal on undo_proposal.case_id = gathered.case_id
    left join proposal
        on proposal.case_id = last_decision.case_id
        and proposal.decision_id = last_decision.decision_id
    left join lease on lease.case_id = gathered.case_id
$$;
