-- purpose: forgets the failed log-ins of an account, so that it is not refused any longer.
-- parameters: account (text)
-- grain:   one row per account: none when there is no such active one
with found as (
    select console_accounts.name
    from console_accounts
    where console_accounts.name = :'account'::text
        and console_accounts.disabled_at is null
),
unlocked as (
    delete from console_refusals
    using found
    where console_refusals.account_sha256 = encode(sha256(convert_to(found.name, 'UTF8')), 'hex')
)
select found.name from found;
