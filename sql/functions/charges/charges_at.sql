-- purpose: Returns charges that a fact known after a clock is about: a statement, or one that identified the charge of a
--          period.
-- parameters: clock
-- grain:   one row per charge
create or replace function payrecon.charges_changed_after(clock timestamptz)
returns table (original_transaction_id text, charge_id text)
-- A fixed estimate of its rows, so that they are always compared by hash. The planner knows the batches.
language plpgsql stable parallel safe rows 1000
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
    later bigint[] := array(select batches.batch_id from payrecon.batches where batches.known_at > clock);
begin
    return query
    with stated as (
        select distinct transactions.original_transaction_id, transactions.charge_id
        from payrecon.transactions
        where transactions.batch_id = any(later)
    ),
    candidate as (
        select candidates.original_transaction_id, candidates.stated_id, candidates.charge_id
        from payrecon.charge_candidates_at(
            'infinity', (select coalesce(array_agg(stated.original_transaction_id), '{}') from stated)
        ) as candidates
    )
    select stated.original_transaction_id, stated.charge_id from stated
    union
    select candidate.original_transaction_id, candidate.stated_id from candidate
    union
    select candidate.original_transaction_id, candidate.charge_id from candidate;
end
$$;

-- purpose: Returns the charges as known at a clock. Charges without later facts are read as stored, the others are rebuilt
--          from the facts known then.
create or replace function payrecon.charges_at(clock timestamptz) returns setof payrecon.charges
language sql stable parallel safe
as $$
    with later as (select batches.batch_id from payrecon.batches where batches.known_at > clock),
    changed_charge as (
        select changed.original_transaction_id, changed.charge_id
        from payrecon.charges_changed_after(clock) as changed
        where (select exists (select 1 from later))
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
            select changed_charge.original_transaction_id, changed_charge.charge_id from changed_charge
        )
    union all
    select gathered.*
    -- Not joined with other rows. The planner settings of this rarely executed branch then do not affect the rest.
    from payrecon.charges_of(
        clock,
        (
            select coalesce(array_agg(changed_charge.original_transaction_id order by original_transaction_id, charge_id), '{}')
            from changed_charge
        ),
        (select coalesce(array_agg(changed_charge.charge_id order by original_transaction_id, charge_id), '{}') from changed_charge)
    ) as gathered
    where (select exists (select 1 from later))
$$;

-- purpose: Returns the charges of some chains as known at a clock. Without later facts these are the stored ones.
-- parameters: clock; chains: original transaction ids
-- grain:   one row per charge
create or replace function payrecon.charges_among(clock timestamptz, chains text[]) returns setof payrecon.charges
language plpgsql stable parallel safe rows 1000
-- The planner knows how many chains there are, and compares many by hash.
set plan_cache_mode = force_custom_plan
as $$
begin
    if exists (select 1 from payrecon.batches where batches.known_at > clock) then
        return query
        select gathered.*
        from payrecon.charges_of(clock, chains, null) as gathered;
    else
        return query
        select charges.*
        from payrecon.charges
        where charges.original_transaction_id = any(charges_among.chains collate "C");
    end if;
end
$$;
