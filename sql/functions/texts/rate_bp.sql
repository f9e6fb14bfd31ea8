-- purpose: Returns the share of a part in a whole in basis points, rounded once. A part that is not 0 never shows as 0, and
--          a part that is not the whole never shows as all. Null if the whole is 0.
create or replace function payrecon.rate_bp(part numeric, whole numeric) returns bigint
language sql immutable parallel safe
return case
    when part = 0 and whole > 0 then 0
    when part >= whole and whole > 0 then 10000
    when whole > 0 then least(9999, greatest(1, round(part * 10000 / whole)))
end::bigint;

-- purpose: Returns the shares of parts in their sum, in percent with two decimals, in the order of the parts. They add up to
--          100.00: the rounding rest goes to the largest remainders. A part that is not 0 has at least 0.01. Null if all
--          parts are 0.
create or replace function payrecon.shares_of(parts bigint[]) returns numeric[]
language sql immutable parallel safe
as $$
    with part as (
        select entry.place, entry.value, sum(entry.value) over () as whole
        from unnest(parts) with ordinality as entry (value, place)
    ),
    cut as (
        select
            part.place, greatest(div(part.value * 10000, part.whole), sign(part.value)) as points,
            case when part.value * 10000 >= part.whole then (part.value * 10000) % part.whole else 0 end as remainder
        from part
        where part.whole > 0
    ),
    ranked as (
        select
            cut.*, 10000 - sum(cut.points) over () as rest,
            row_number() over (order by cut.remainder desc, cut.place) as by_remainder,
            row_number() over (order by cut.points desc, cut.place) as by_size
        from cut
    )
    select
        array_agg(
            (
                (
                    ranked.points + (ranked.by_remainder <= ranked.rest)::integer
                    + case when ranked.by_size = 1 then least(ranked.rest, 0) else 0 end
                ) / 100
            )::numeric(5, 2)
            order by ranked.place
        )
    from ranked
$$;
