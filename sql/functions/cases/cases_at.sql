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
    last_word as (
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
    first_word as (
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
    listed as (
        select items.*
        from payrecon.case_items_at(clock, cases_at.item_ids) as items
        where (cases_at.case_ids is null or items.case_id = any(cases_at.case_ids collate "C"))
    ),
    dealt as (
        select listed.item_kind, listed.item_id, max(closing.at) as at
        from listed
        inner join closing on closing.case_id = listed.case_id
        where case
                -- A decided break is pending or not by its own state. After a decision on a pair the next detection decides,
                -- and its findings are pending again.
                when listed.item_kind = 'break'
                    then listed.item_id = any(closing.break_ids)
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
                else closing.scope = 'case' or listed.order_id = closing.order_id or listed.charge_id = closing.charge_id
            end
        group by listed.item_kind, listed.item_id
    ),
    item as (
        select
            listed.*,
            listed.is_open and not listed.is_decided and listed.since_at > coalesce(dealt.at, '-infinity') as is_waiting
        from listed
        left join dealt
            on dealt.item_kind = listed.item_kind
            and dealt.item_id = listed.item_id
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
    measured as (
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
            end as speaks_of
        from chosen
        where chosen.counts
    ),
    of_order as (
        select
            measured.case_id, measured.charge_id,
            coalesce('order:' || measured.order_id, 'charge:' || measured.charge_id, measured.item_id) as id,
            max(measured.amount_milliunits) as amount_milliunits
        from measured
        where measured.speaks_of = 'order'
        group by 1, 2, 3
    ),
    of_charge as (
        select
            each_order.case_id, each_order.id,
            greatest(sum(each_order.amount_milliunits), max(each_order.signalled)) as amount_milliunits
        from (
            select of_order.case_id, coalesce(of_order.charge_id, of_order.id) as id, of_order.amount_milliunits, null::bigint as signalled
            from of_order
            union all
            select measured.case_id, measured.charge_id, null::bigint, measured.amount_milliunits
            from measured
            where measured.speaks_of = 'charge'
        ) as each_order
        group by each_order.case_id, each_order.id
    ),
    stake as (
        select each_once.case_id, greatest(sum(each_once.amount_milliunits), max(each_once.summed)) as amount_milliunits
        from (
            select of_charge.case_id, of_charge.amount_milliunits, null::bigint as summed from of_charge
            union all
            select measured.case_id, null::numeric, measured.amount_milliunits from measured where measured.speaks_of = 'sum'
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
                    then max(stake.amount_milliunits)
            end as amount_milliunits,
            case
                when min(chosen.currency) filter (where chosen.counts) = max(chosen.currency) filter (where chosen.counts)
                    then min(chosen.currency) filter (where chosen.counts)
            end as currency,
            min(chosen.opened_at) as opened_at,
            min(chosen.due_at) filter (where chosen.is_waiting) as due_at
        from chosen
        left join stake on stake.case_id = chosen.case_id
        group by chosen.case_id
        union all
        -- An item of a charge may belong to a user's case today. Acts stay in the original case, so that a second person can
        -- still approve or undo them there.
        select
            last_word.case_id, last_word.subject_kind, last_word.subject_id, false, null, 0, 0, null, null, null, null, last_word.at, null
        from last_word
        where (cases_at.item_ids is null or cases_at.case_ids is not null)
            and last_word.case_id not in (select chosen.case_id from chosen)
        union all
        -- A named case also shows rejected and undone proposals, because its link may have been sent to others.
        select
            first_word.case_id, first_word.subject_kind, first_word.subject_id, false, null, 0, 0, null, null, null, null,
            first_word.at, null
        from first_word
        where first_word.case_id not in (select chosen.case_id from chosen)
            and first_word.case_id not in (select last_word.case_id from last_word)
    )
    select
        gathered.case_id,
        case
            when undo_proposal.case_id is not null or last_word.step = 'proposed' then 'waiting_approval'
            when lease.action = 'taken' and lease.lease_until > clock and gathered.is_waiting then 'taken'
            when gathered.is_waiting then 'open'
            when last_word.step = 'effective' then 'closed'
            else 'lapsed'
        end,
        gathered.subject_kind, gathered.subject_id, coalesce(gathered.rank, 0), gathered.signal_count,
        gathered.break_count, gathered.names, gathered.amount_milliunits, gathered.currency, gathered.opened_at, gathered.due_at,
        case when lease.action = 'taken' and lease.lease_until > clock then lease.person end,
        case when lease.action = 'taken' and lease.lease_until > clock then lease.lease_until end,
        case when undo_proposal.case_id is not null then 'undo' else last_word.action end, last_word.outcome,
        coalesce(undo_proposal.reason, last_word.reason), coalesce(undo_proposal.asked_by, last_word.decided_by),
        coalesce(undo_proposal.at, proposal.at, last_word.at),
        case when undo_proposal.case_id is null then last_word.approved_by end,
        case when undo_proposal.case_id is null and last_word.approved_by is not null then last_word.at end,
        gathered.bundle_ids,
        case
            when undo_proposal.case_id is not null then undo_proposal.account
            when last_word.proposal_step is not null then last_word.proposal_account
            else last_word.account
        end,
        case when undo_proposal.case_id is null and last_word.approved_by is not null then last_word.account end
    from gathered
    left join last_word on last_word.case_id = gathered.case_id
    left join undo_proposal on undo_proposal.case_id = gathered.case_id
    left join proposal
        on proposal.case_id = last_word.case_id
        and proposal.decision_id = last_word.decision_id
    left join lease on lease.case_id = gathered.case_id
$$;
