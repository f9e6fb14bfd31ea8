-- purpose: what two people decided about an order and a charge, and nobody took back, at a clock. The newest word on a pair counts;
--          an order has one charge, or is a duplicate of one, and a charge has one order. What was said of a period that
--          nobody had told the line item of holds for the charge that it turned out to be.
create or replace function payrecon.decided_pairs_at(clock timestamptz) returns table (
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
    bare as materialized (
        select distinct transactions.charge_id, transactions.original_transaction_id
        from said
        inner join payrecon.transactions
            on transactions.charge_id = said.charge_id
            and transactions.web_order_line_item_id is null
            and coalesce(transactions.type = 'auto_renewable', transactions.expires_at is not null)
    ),
    renamed as materialized (
        select distinct alias.told_id, alias.charge_id
        from bare
        cross join lateral payrecon.charge_aliases_at(clock, array[bare.original_transaction_id]) as alias
        where alias.told_id = bare.charge_id
    ),
    effective as (
        select
            said.order_id, coalesce(renamed.charge_id, said.charge_id) as charge_id, said.action, said.case_id,
            said.decision_id, said.decided_by, said.approved_by, said.reason, said.at
        from said
        left join renamed on renamed.told_id = said.charge_id
    )
    select
        effective.order_id, effective.charge_id, effective.action, effective.case_id, effective.decision_id,
        effective.decided_by, effective.approved_by, effective.reason, effective.at
    from effective
    where not exists (
        select 1
        from effective as later
        where (later.at, later.decision_id) > (effective.at, effective.decision_id)
            and (
                (later.order_id = effective.order_id and later.charge_id = effective.charge_id)
                or (
                    later.order_id = effective.order_id
                    and later.action <> 'unmatch'
                    and effective.action <> 'unmatch'
                )
                or (
                    later.charge_id = effective.charge_id
                    and later.action = 'forced_match'
                    and effective.action = 'forced_match'
                )
            )
    )
$$;
