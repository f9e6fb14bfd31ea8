-- purpose: sets the password of an account, ends all its sessions and clears its failed log-ins.
-- parameters: account, salt, verifier (text)
-- grain:   one row; none if there is no such active account
with changed as (
    update console_accounts
    set
        salt = :'salt'::text,
        verifier = :'verifier'::text
    where name = :'account'::text
        and disabled_at is null
    returning name
),
ended as (
    update console_sessions
    set ended_at = clock_timestamp()
    from changed
    where console_sessions.account = changed.name
        and console_sessions.ended_at is null
),
unlocked as (
    delete from console_refusals
    using changed
    where console_refusals.account_sha256 = encode(sha256(convert_to(changed.name, 'UTF8')), 'hex')
)
select name from changed;
