-- purpose: which cells are of parts of a price given back, so that their rows are told apart from those of whole units at that price;
--          and the account that a payments file says its money went to: two vendors are paid in one month by two files.
alter table payrecon.tieout_cells add column is_partial boolean not null default false;

-- The id of a cell says it of those that were recorded before.
update payrecon.tieout_cells
set is_partial = true
where sign = -1
    and cell_id = left(encode(sha256(convert_to(concat_ws(
        '|', fiscal_period, sku, country, customer_currency, customer_price, sign, true, transaction_day
    ), 'UTF8')), 'hex'), 16);

alter table payrecon.finance_files add column account text collate "C" not null default '';
