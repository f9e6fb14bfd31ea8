-- purpose: records credits of a bank statement. A credit that another statement listed is the same credit; equal credits on
--          one statement are distinct.
-- parameters: file_sha256 (text), batch_id (bigint)
-- grain:   one row per credit; returns the number of new ones
with credit as (
    select
        staged_finance.*,
        row_number() over (
            partition by bank_date, trim_scale(amount::numeric), currency, reference, account order by line
        )::integer as occurrence
    from staged_finance
),
recorded as (
    insert into bank_lines (
        bank_line_id, file_sha256, line, occurrence, bank_date, amount, currency, reference, account, batch_id
    )
    select
        id_hash(concat_ws(
            '|', bank_date, trim_scale(amount::numeric), currency, coalesce(reference, ''), coalesce(account, ''), occurrence
        )),
        :'file_sha256'::text, line, occurrence, bank_date::date, amount::numeric, currency, reference, account,
        :'batch_id'::bigint
    from credit
    on conflict do nothing
    returning bank_line_id
)
select count(*) as new_count
from recorded;
