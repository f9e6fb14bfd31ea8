-- purpose: what two people said of an order and a charge, and nobody took back, at a clock, whether it was said otherwise since or
--          not. What was said of a period that nobody had told the line item of is said of the charge that it turned out to be.
-- grain:   one row per decision
create or replace function payrecon.pair_words_at(clock timestamptz) returns table (
    order_id text, charge_id text, action text, case_id text, decision_id text, decided_by text, approved_by text,
    reason text, at timestamptz
)
language sql stable parallel safe
as $$
    with said as materialized (
        select decisions.*
        from payrecon.effective_decisions_at(clock) as decisions
        where decisions.action in ('forced_match', 'unmatch', 'benign_duplicate')
            and decisions.order_id is not null
            and decisions.charge_id is not null
    ),
    renamed as materialized (
        select renamed.told_id, renamed.charge_id
        from payrecon.renamed_charges_at(clock, (select array_agg(said.charge_id) from said)) as renamed
    )
    select
        said.order_id, coalesce(renamed.charge_id, said.charge_id), said.action, said.case_id, said.decision_id,
        said.decided_by, said.approved_by, said.reason, said.at
    from said
    left join renamed on renamed.told_id = said.charge_id
$$;
