-- purpose: one budget of Apple's rate limits for all workers and jobs of all machines.

-- Up to when the requests of one app, App Store and endpoint are taken. Requests are spread evenly over time: whoever
-- wants some takes the next stretch. Not business time: the clock that all machines share is that of the database.
create table payrecon.api_budgets (
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    endpoint text collate "C" not null,
    -- When somebody last asked for a stretch, and when the next free one began by then.
    asked_at timestamptz not null,
    begins_at timestamptz not null,
    -- End of the last stretch that somebody took.
    taken_to timestamptz not null,
    -- End of the pause that Apple last asked for.
    paused_to timestamptz,
    constraint api_budgets_pkey primary key (bundle_id, environment, endpoint)
);

-- What each role may do; called again by whoever makes a missing role later.
alter procedure payrecon.grant_roles() rename to grant_roles_before_budgets;
create procedure payrecon.grant_roles()
language plpgsql
as $$
begin
    call payrecon.grant_roles_before_budgets();
    if exists (select from pg_roles where rolname = 'payrecon_jobs') then
        grant select, insert, update on payrecon.api_budgets to payrecon_jobs;
    end if;
end
$$;

do $$
declare
    wanted text;
begin
    if exists (select from pg_roles where rolname = 'payrecon_jobs') then
        grant select, insert, update on payrecon.api_budgets to payrecon_jobs;
    end if;
    foreach wanted in array array['payrecon_reader', 'payrecon_report', 'payrecon_review', 'payrecon_erase'] loop
        if exists (select from pg_roles where rolname = wanted) then
            execute format('grant select on payrecon.api_budgets to %I', wanted);
        end if;
    end loop;
end
$$;
