-- purpose: names of accounts that differ only in the case of letters are one person; a session that a proxy opened is told apart.

alter table payrecon.case_decisions
    drop constraint case_decisions_two_accounts,
    add constraint case_decisions_two_accounts check (
        account_kind = 'system'
        or case
            when step = 'effective' and proposal_step is not null
                then proposal_account is not null and lower(proposal_account) <> lower(account)
            when step = 'rejected' then proposal_account is null or lower(proposal_account) <> lower(account)
            when step = 'withdrawn' then proposal_account is not null and lower(proposal_account) = lower(account)
            -- Nobody stands beside a decision but who settled a proposal.
            else proposal_account is null and approved_by is null
        end
    ) not valid;

alter table payrecon.case_undos
    drop constraint case_undos_two_accounts,
    add constraint case_undos_two_accounts check (
        account_kind = 'system'
        or case
            when step = 'effective' and proposal_step is not null
                then proposal_account is not null and lower(proposal_account) <> lower(account)
            when step = 'rejected' then proposal_account is null or lower(proposal_account) <> lower(account)
            when step = 'withdrawn' then proposal_account is not null and lower(proposal_account) = lower(account)
            else proposal_account is null and approved_by is null
        end
    ) not valid;

alter table payrecon.rule_changes
    drop constraint rule_changes_two_accounts,
    add constraint rule_changes_two_accounts check (
        case step
            when 'proposed' then proposal_account is null
            when 'withdrawn' then proposal_account is not null and lower(proposal_account) = lower(account)
            else proposal_account is not null and lower(proposal_account) <> lower(account)
        end
    ) not valid;

-- Of accounts that were one person already the one with the oldest name stays.
update payrecon.console_accounts as younger
set disabled_at = clock_timestamp()
where younger.disabled_at is null
    and exists (
        select 1
        from payrecon.console_accounts as older
        where lower(older.name) = lower(younger.name)
            and older.disabled_at is null
            and (older.added_at, older.name) < (younger.added_at, younger.name)
    );
create unique index console_accounts_one_name on payrecon.console_accounts (lower(name)) where disabled_at is null;

-- Opened by a proxy for the account that it named: it counts on the proxy's socket alone.
alter table payrecon.console_sessions add column is_by_proxy boolean not null default false;
