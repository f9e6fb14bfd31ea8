-- purpose: Returns the differences inside their grace time at a clock.
create or replace function payrecon.pending_breaks_at(as_of timestamptz) returns setof payrecon.pending_breaks
language sql stable parallel safe
as $$
    select *
    from payrecon.pending_breaks
    where pending_breaks.valid_from <= as_of
    union all
    select
        break_id, family, subject_id, class, bundle_id, environment, order_id, charge_id, transaction_id, user_id,
        currency, detail, amount_milliunits, breaks_at, valid_from
    from payrecon.ended_pending_breaks
    where ended_pending_breaks.valid_from <= as_of
        and ended_pending_breaks.valid_to > as_of
$$;
