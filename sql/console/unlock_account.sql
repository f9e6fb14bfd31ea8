-- purpose: clears the failed log-ins of an account, so that it is no longer refused.
-- parameters: account (text)
-- grain:   one row; none if there is no such active account
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
