-- purpose: what two people decided about an order and a charge, and nobody took back, at a clock. Of decisions that say otherwise of
--          one thing the newest counts.
create or replace function payrecon.decided_pairs_at(clock timestamptz) returns table (
    order_id text, charge_id text, action text, case_id text, decision_id text, decided_by text, approved_by text,
    reason text, at timestamptz
)
language sql stable parallel safe
as $$
    with said as materialized (
        select words.* from payrecon.pair_words_at(clock) as words
    ),
    ranked as (
        select
            said.case_id, said.decision_id,
            row_number() over (partition by settles.thing order by said.at desc, said.decision_id desc) as place
        from said
        cross join lateral payrecon.pair_settles(said.order_id, said.charge_id, said.action) as settles
    )
    select said.*
    from said
    where not exists (
        select 1
        from ranked
        where ranked.case_id = said.case_id
            and ranked.decision_id = said.decision_id
            and ranked.place > 1
    )
$$;
