-- purpose: Returns the smallest unit of a currency in thousandths (ISO 4217 minor units).
create or replace function payrecon.currency_unit(currency text) returns bigint
language sql immutable parallel safe
return case
    when currency in (
        'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'
    ) then 1000
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 1
    else 10
end;
