-- purpose: Returns the id of a cell of the tie-out: 16 hexadecimal digits.
create or replace function payrecon.cell_id_of(
    fiscal_period text, sku text, country text, currency text, price numeric, sign integer, day date
) returns text
language sql stable parallel safe
return left(payrecon.id_hash(concat_ws('|', fiscal_period, sku, country, currency, price, sign, day)), 16);
