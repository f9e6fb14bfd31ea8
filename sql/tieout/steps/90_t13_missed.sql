-- purpose: T13: a sale of one of our products, in a storefront and currency in which we sold it, of which no evidence came.
-- parameters: none
-- grain:   one pair per cell of Apple's sales
insert into tie_pair (cause, l1_no, l3_no, units, detail)
select 'T13', null, tie_rest.cell_no, tie_rest.l3_left, 'Apple sold it, and no evidence shows it'
from tie_rest
where tie_rest.l3_left > 0
    and tie_rest.sign = 1
    and exists (
        select 1
        from tie_l1
        where tie_l1.sku = tie_rest.sku
            and tie_l1.country = tie_rest.country
            and tie_l1.currency = tie_rest.currency
    );
