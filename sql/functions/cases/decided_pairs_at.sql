-- purpose: Returns decisions of two people on an order and a charge at a clock, without undone ones. Of contradicting
--          decisions the newest counts, and of two at one clock the one that was approved later. A decision on a period
--          reported without its line item applies to the charge that it turned out to be.
create or replace function payrecon.decided_pairs_at(clock timestamptz) returns table (
    order_id text, charge_id text, action text, case_id text, decision_id text, decided_by text, approved_by text, at timestamptz
)
language sql stable parallel safe
as $$
    with decided as materialized (
        select decisions.*
        from payrecon.effective_decisions_at(clock) as decisions
        where decisions.action in ('forced_match', 'unmatch', 'benign_duplicate')
            and decisions.order_id is not null
            and decisions.charge_id is not null
    ),
    renamed as materialized (
        select renamed.stated_id, renamed.charge_id
        from payrecon.renamed_charges_at(clock, (select array_agg(decided.charge_id) from decided)) as renamed
    ),
    decision as materialized (
        select
            decided.order_id, coalesce(renamed.charge_id, decided.charge_id) as charge_id, decided.action, decided.case_id,
            decided.decision_id, decided.decided_by, decided.approved_by, decided.at, decided.number
        from decided
        left join renamed on renamed.stated_id = decided.charge_id
    ),
    -- Each fact that a decision settles; of those on one fact the newest has place 1.
    settled_fact as (
        select
            decision.case_id, decision.decision_id,
            row_number() over (partition by fact.thing order by decision.at desc, decision.number desc) as place
        from decision
        cross join lateral payrecon.resolves_pair(decision.order_id, decision.charge_id, decision.action) as fact
    )
    select
        decision.order_id, decision.charge_id, decision.action, decision.case_id, decision.decision_id, decision.decided_by,
        decision.approved_by, decision.at
    from decision
    where not exists (
        select 1
        from settled_fact
        where settled_fact.case_id = decision.case_id
            and settled_fact.decision_id = decision.decision_id
            and settled_fact.place > 1
    )
$$;
