-- purpose: decisions that a person made or approved, each with the obstacle to its undo as a phrase, if any.
-- parameters: actor (text), cases (text[]): none selects all, since, as_of (timestamptz); batch_id (text): only decisions of
--             this batch, empty for all; item_ids (text[]): the breaks and signals of the cases, null if unknown
-- grain:   one row per effective decision that is not undone
with effective as (
    select
        decided.*, coalesce(proposal.at, decided.at) as said_at, coalesce(proposal.scope, decided.scope) as said_scope,
        coalesce(proposal.break_ids, decided.break_ids) as said_ids
    from effective_decisions_at('infinity') as decided
    left join case_decisions as proposal
        on proposal.case_id = decided.case_id
        and proposal.decision_id = decided.decision_id
        and proposal.step = decided.proposal_step
    where decided.at between :'since'::timestamptz and :'as_of'::timestamptz
),
waiting as materialized (
    select items.case_id, items.item_id, items.since_at
    from case_items_at(:'as_of'::timestamptz, :'item_ids'::text[]) as items
    where items.is_open
        and not items.is_decided
        and (cardinality(:'cases'::text[]) = 0 or items.case_id = any(:'cases'::text[]))
),
-- Newer open items within a decision's subject: the case, or the breaks that it names.
news as (
    select effective.case_id, effective.decision_id
    from effective
    inner join waiting on waiting.case_id = effective.case_id
    where effective.said_scope <> 'named'
        and waiting.since_at > effective.said_at
    union
    select effective.case_id, effective.decision_id
    from effective
    cross join lateral unnest(effective.said_ids) as about (break_id)
    inner join waiting on waiting.item_id = about.break_id
    where effective.said_scope = 'named'
        and waiting.since_at > effective.said_at
)
select
    chosen.case_id, chosen.decision_id,
    case
        when exists (
            select 1
            from effective as later
            where later.case_id = chosen.case_id
                and later.at > chosen.at
        ) then phrase('refusal.decided_since')
        when state.status = 'waiting_approval' then phrase('refusal.waits_second')
        -- A decision on a pair causes differences, which end with its undo.
        when state.status in ('open', 'taken')
            and news.decision_id is not null
            and chosen.action not in ('forced_match', 'unmatch', 'benign_duplicate')
            then phrase('refusal.open_since')
    end::text as obstacle
from effective as chosen
left join news using (case_id, decision_id)
left join cases_at(
    :'as_of'::timestamptz, :'item_ids'::text[], nullif(:'cases'::text[], '{}')
) as state on state.case_id = chosen.case_id
where :'actor'::text in ('', chosen.decided_by, coalesce(chosen.approved_by, ''))
    and (cardinality(:'cases'::text[]) = 0 or chosen.case_id = any(:'cases'::text[]))
    and (
        :'batch_id'::text = ''
        or exists (
            select 1
            from case_batches
            where case_batches.batch_id = :'batch_id'::text
                and case_batches.case_id = chosen.case_id
                and case_batches.decision_id = chosen.decision_id
        )
    )
order by chosen.case_id, chosen.at, chosen.decision_id;
