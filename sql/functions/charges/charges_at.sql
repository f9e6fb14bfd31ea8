-- purpose: Returns the charges as known at a clock. Charges without later facts are read as stored, the others are rebuilt
--          from the facts known then.
create or replace function payrecon.charges_at(clock timestamptz) returns setof payrecon.charges
language sql stable parallel safe
as $$
    with later as (select batches.batch_id from payrecon.batches where batches.known_at > clock),
    stated_later as (
        select distinct transactions.original_transaction_id, transactions.charge_id
        from payrecon.transactions
        where transactions.batch_id in (select later.batch_id from later)
    ),
    -- A later fact may have identified the charge of a period.
    candidate as (
        select candidates.original_transaction_id, candidates.stated_id, candidates.charge_id
        from payrecon.charge_candidates_at('infinity', (select array_agg(stated_later.original_transaction_id) from stated_later))
            as candidates
        where (select exists (select 1 from later))
    ),
    touched as (
        select original_transaction_id, charge_id from stated_later
        union
        select original_transaction_id, stated_id from candidate
        union
        select original_transaction_id, charge_id from candidate
    )
    -- Without later facts nothing is compared.
    select charges.*
    from payrecon.charges
    where not (select exists (select 1 from later))
    union all
    select charges.*
    from payrecon.charges
    where (select exists (select 1 from later))
        and (charges.original_transaction_id, charges.charge_id) not in (
            select touched.original_transaction_id, touched.charge_id from touched
        )
    union all
    select gathered.*
    -- Not joined with other rows. The planner settings of this rarely executed branch then do not affect the rest.
    from payrecon.charges_of(
        clock,
        (select coalesce(array_agg(touched.original_transaction_id order by original_transaction_id, charge_id), '{}') from touched),
        (select coalesce(array_agg(touched.charge_id order by original_transaction_id, charge_id), '{}') from touched)
    ) as gathered
    where (select exists (select 1 from later))
$$;
