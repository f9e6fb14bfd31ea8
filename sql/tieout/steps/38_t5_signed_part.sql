-- purpose: T5, proved: a partial refund signed by Apple, and Apple's return of just that part on the same day. Apple prints
--          either the part as its price, or the whole price with that part of the proceeds, to a coin.
-- grain:   one pair per cell of ours and cell of Apple's
insert into tie_pair (cause, l1_no, l3_no, units, detail, is_proof)
with part as materialized (
    select cell_no, product_no, sku, country, currency, day, period_no, price, cost, partial_left as l1_left
    from tie_rest
    where partial_left > 0
        and sign = -1
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
        on (tie_cell.sku, tie_cell.country, tie_cell.currency) = (part.sku, part.country, part.currency)
        and tie_cell.price = part.cost
        and tie_cell.sign = 1
    cross join lateral string_to_table(tie_cell.share_counts, ', ') as entry (share)
),
candidate_pair as (
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
pair as (
    select
        candidate_pair.l1_no, candidate_pair.l3_no,
        least(candidate_pair.units, candidate_pair.l3_left - coalesce(sum(candidate_pair.units) over (
            partition by candidate_pair.l3_no order by candidate_pair.share rows between unbounded preceding and 1 preceding
        ), 0)) as units
    from candidate_pair
    where candidate_pair.rank_of_ours = 1
        and candidate_pair.rank_of_theirs = 1
)
select 'T5', pair.l1_no, pair.l3_no, pair.units, phrase('detail.part_signed'), true
from pair
where pair.units > 0;
