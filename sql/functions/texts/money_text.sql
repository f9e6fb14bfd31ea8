-- purpose: Returns money as text for readers, with the currency's number of digits or as many as the value needs: `68.00
--          CNY`, `980 JPY`, `1.500 KWD`; without a currency ('') the number alone.
create or replace function payrecon.money_text(milliunits numeric, currency text) returns text
language sql immutable strict parallel safe
as $$
    select concat(
        case when milliunits < 0 then '-' end,
        trunc(abs(milliunits) / 1000),
        '.' || nullif(
            case payrecon.currency_unit(currency)
                when 1000 then rtrim(part.digits, '0')
                when 1 then part.digits
                else left(part.digits, 2) || rtrim(substr(part.digits, 3), '0')
            end,
            ''
        ),
        ' ' || nullif(currency, '')
    )
    from (select lpad(mod(abs(milliunits), 1000)::bigint::text, 3, '0') as digits) as part
$$;
