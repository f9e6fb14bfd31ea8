-- purpose: Writes the acting account into a reviewer's act, so that nobody can state or change another one.
create or replace function payrecon.stamp_account() returns trigger
language plpgsql
as $$
begin
    -- An erasure renames the subject of a row, not its author.
    if tg_op = 'UPDATE' and new.account = old.account then
        return new;
    end if;
    -- An account may release its cases even if its role has changed.
    if coalesce(to_jsonb(new) ->> 'action', '') <> 'released' then
        perform payrecon.require_duty('work');
    end if;
    new.account := payrecon.acting_account();
    return new;
end
$$;

-- Protects a lease until it ends: no other account shortens, takes over or removes it. An erasure renames its case.
create or replace function payrecon.check_lease() returns trigger
language plpgsql
as $$
begin
    if old.account <> payrecon.acting_account() and old.lease_until > clock_timestamp()
        and (tg_op = 'DELETE' or (to_jsonb(new) - 'case_id') <> (to_jsonb(old) - 'case_id'))
    then
        raise exception 'another account has the case' using errcode = 'insufficient_privilege';
    end if;
    return case tg_op when 'DELETE' then old else new end;
end
$$;

create or replace trigger check_lease before update or delete on payrecon.case_leases
for each row execute function payrecon.check_lease();

create or replace trigger stamp before insert or update on payrecon.case_events
for each row execute function payrecon.stamp_account();
create or replace trigger stamp before insert or update on payrecon.case_leases
for each row execute function payrecon.stamp_account();
create or replace trigger stamp before insert or update on payrecon.list_entries
for each row execute function payrecon.stamp_account();
create or replace trigger stamp before insert or update on payrecon.case_notes
for each row execute function payrecon.stamp_account();
create or replace trigger stamp before insert or update on payrecon.case_marks
for each row execute function payrecon.stamp_account();
create or replace trigger stamp before insert or update on payrecon.case_batches
for each row execute function payrecon.stamp_account();

-- Refuses changes by accounts that may only read.
create or replace function payrecon.check_work() returns trigger
language plpgsql
as $$
begin
    perform payrecon.require_duty('work');
    return new;
end
$$;

create or replace trigger check_work before insert on payrecon.list_removals
for each row execute function payrecon.check_work();

-- Limits saved filters and preferences to the account that chose them.
create or replace function payrecon.check_owner() returns trigger
language plpgsql
as $$
begin
    -- An erasure renames a person in the filter.
    if tg_op = 'UPDATE' and to_jsonb(new) ->> 'account' = old.account
        and not exists (select 1 from pg_roles where rolname = 'payrecon_erase' and rolname <> current_user)
    then
        return new;
    end if;
    if tg_op <> 'INSERT' and old.account <> payrecon.acting_account() then
        raise exception 'this is of another account' using errcode = 'insufficient_privilege';
    end if;
    if tg_op = 'DELETE' then
        return old;
    end if;
    new.account := payrecon.acting_account();
    return new;
end
$$;

create or replace trigger check_owner before insert or update or delete on payrecon.console_views
for each row execute function payrecon.check_owner();
create or replace trigger check_owner before insert or update or delete on payrecon.console_preferences
for each row execute function payrecon.check_owner();
create or replace trigger stamp before insert or update on payrecon.case_attachments
for each row execute function payrecon.stamp_account();

-- Replaces an erased user in a new list entry. Runs with the owner's rights, because reviewers cannot read the key of erasures.
create or replace function payrecon.erase_listed() returns trigger
language plpgsql security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
begin
    new.subject_id := coalesce(
        (
            select erased_users.pseudonym
            from payrecon.erased_users
            where erased_users.user_hash = payrecon.erasure_hash(new.subject_id)
        ), new.subject_id
    );
    return new;
end
$$;

create or replace trigger erase_listed before insert on payrecon.list_entries
for each row when (new.subject_kind = 'user') execute function payrecon.erase_listed();
