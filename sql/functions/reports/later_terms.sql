-- purpose: Returns a term with the instant at which it became known, in microseconds since 1970.
create or replace function payrecon.dated_term(begins_at timestamptz, ends_at timestamptz, known_at timestamptz) returns text
language sql stable parallel safe
return concat_ws(',', payrecon.microseconds(begins_at), payrecon.microseconds(ends_at), payrecon.microseconds(known_at));

-- purpose: Return terms that became known after their charge, as begin, end and knowledge in microseconds since 1970: those by a
--          product's later periods, up to an instant; those of a renewal, which begins with the end of the previous period unless
--          that was refunded; and days of delivery, without one that of the purchase.
-- parameters: known_ats and the array before it are parallel, in the order of knowledge
create or replace function payrecon.terms_of_periods(
    purchased_at timestamptz, periods text[], known_ats timestamptz[], known_after timestamptz, known_before timestamptz
) returns text
language sql stable parallel safe
as $$
    select
        string_agg(
            payrecon.dated_term(purchased_at, purchased_at + coalesce(fact.period, 'P0D')::interval, fact.known_at),
            ' '
            order by fact.step
        )
    from unnest(periods, known_ats) with ordinality as fact (period, known_at, step)
    where fact.known_at > known_after
        and coalesce(fact.known_at < known_before, true)
$$;

create or replace function payrecon.terms_of_renewal(
    purchased_at timestamptz, previous_ends_at timestamptz, ends_at timestamptz, are_refunds boolean[], known_ats timestamptz[]
) returns text
language sql stable parallel safe
as $$
    select
        string_agg(
            payrecon.dated_term(
                case when fact.is_refund then purchased_at else previous_ends_at end, ends_at, greatest(fact.known_at, known_ats[1])
            ),
            ' '
            order by fact.step
        )
    from unnest(are_refunds, known_ats) with ordinality as fact (is_refund, known_at, step)
$$;

create or replace function payrecon.terms_of_deliveries(
    purchased_at timestamptz, delivered_ats timestamptz[], known_ats timestamptz[]
) returns text
language sql stable parallel safe
as $$
    select
        string_agg(
            payrecon.dated_term(
                coalesce(fact.delivered_at, purchased_at), coalesce(fact.delivered_at, purchased_at), fact.known_at
            ),
            ' '
            order by fact.step
        )
    from unnest(delivered_ats, known_ats) with ordinality as fact (delivered_at, known_at, step)
$$;
