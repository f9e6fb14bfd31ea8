-- purpose: T5, proved: a partial refund signed by Apple, and Apple's return of just that part on the same day. Apple prints
--          either the part as its price, or the whole price with that part of the proceeds, to a coin.
-- grain:   one pair per cell of ours and cell of Apple's
insert into tie_pair (cause, l1_no, l3_no, units, detail, is_proof)
with part as materialized (
    select cell_no, product_no, sku, country, currency, day, period_no, price, cost, l1_left
    from tie_rest
    where l1_left > 0
        and sign = -1 and is_partial
),
-- Apple's remaining returns by proceeds per unit: `1.58 x 1, 4.2 x 2`.
returned as materialized (
    select
        tie_rest.cell_no, tie_rest.product_no, tie_rest.day, tie_rest.period_no, tie_rest.price, tie_rest.l3_left,
        split_part(entry.share, ' x ', 1)::numeric as share, split_part(entry.share, ' x ', 2)::bigint as units,
        currency_unit(tie_cell.share_currency)::numeric / 1000 as coin
    from tie_rest
    inner join tie_cell on tie_cell.cell_no = tie_rest.cell_no
    cross join lateral string_to_table(tie_cell.share_counts, ', ') as entry (share)
    where tie_rest.l3_left > 0
        and tie_rest.sign = -1
        and tie_rest.product_no in (select part.product_no from part)
),
-- Proceeds of one unit sold at the whole price.
sold as materialized (
    select distinct part.cell_no, split_part(entry.share, ' x ', 1)::numeric as share
    from part
    inner join tie_cell
        on tie_cell.sku = part.sku
        and tie_cell.country = part.country
        and tie_cell.currency = part.currency
        and tie_cell.price = part.cost
        and tie_cell.sign = 1
    cross join lateral string_to_table(tie_cell.share_counts, ', ') as entry (share)
),
alike as (
    select
        part.cell_no as l1_no, returned.cell_no as l3_no, returned.share, returned.l3_left,
        least(part.l1_left, returned.units, returned.l3_left) as units,
        row_number() over (
            partition by part.cell_no order by returned.price = part.price desc, returned.cell_no, returned.share
        ) as rank_of_ours,
        row_number() over (partition by returned.cell_no, returned.share order by part.cell_no) as rank_of_theirs
    from part
    inner join returned using (product_no, day, period_no)
    where returned.price = part.price
        or returned.price = part.cost
        and exists (
            select 1
            from sold
            where sold.cell_no = part.cell_no
                and abs(returned.share - sold.share * part.price / part.cost) <= returned.coin
        )
),
met as (
    select
        alike.l1_no, alike.l3_no,
        least(alike.units, alike.l3_left - coalesce(sum(alike.units) over (
            partition by alike.l3_no order by alike.share rows between unbounded preceding and 1 preceding
        ), 0)) as units
    from alike
    where alike.rank_of_ours = 1
        and alike.rank_of_theirs = 1
)
select 'T5', met.l1_no, met.l3_no, met.units, phrase('detail.part_signed'), true
from met
where met.units > 0;
