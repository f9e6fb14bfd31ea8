-- purpose: the audit chain, the seal of evidence, the tombstones of erased people, and one role for each kind of work.
-- rules:   an entry is appended in the transaction of the act it records; nobody, not even the owner, is granted to change
--          or remove one. Each entry holds the hash of the one before it.

create table payrecon.audit_log (
    number bigint not null,
    -- Clock of the act.
    at timestamptz not null,
    -- The person or job that acts, as named; beside it the login of the database.
    actor text collate "C" not null,
    login text collate "C" not null,
    act text collate "C" not null,
    subject text collate "C" not null,
    -- A JSON object.
    details text collate "C" not null,
    previous_hash text collate "C" not null,
    hash text collate "C" not null,
    constraint audit_log_pkey primary key (number),
    constraint audit_log_hash_key unique (hash)
);
create index audit_log_act_idx on payrecon.audit_log (act, number);

-- SHA-256 of an entry: of the JSON array of its fields and the hash of the entry before it, as PostgreSQL writes it.
create function payrecon.audit_hash(
    number bigint, at timestamptz, actor text, login text, act text, subject text, details text, previous_hash text
) returns text
language sql stable parallel safe
return encode(
    sha256(
        convert_to(
            json_build_array(number, payrecon.rfc3339(at), actor, login, act, subject, details, previous_hash)::text, 'UTF8'
        )
    ),
    'hex'
);

-- Appends an entry and returns its number. The lock makes writers wait for each other until their transactions end; the
-- statement after it sees what the one before committed.
create function payrecon.audit_append(at timestamptz, actor text, act text, subject text, details text) returns bigint
language plpgsql volatile
as $$
declare
    entry bigint;
begin
    perform pg_advisory_xact_lock(1885434753);
    insert into payrecon.audit_log (number, at, actor, login, act, subject, details, previous_hash, hash)
    select
        next.number, $1, $2, session_user, $3, $4, $5, next.previous_hash,
        payrecon.audit_hash(next.number, $1, $2, session_user, $3, $4, $5, next.previous_hash)
    from (
        select coalesce(max(last.number), 0) + 1 as number, coalesce(max(last.hash), '') as previous_hash
        from (select log.number, log.hash from payrecon.audit_log as log order by log.number desc limit 1) as last
    ) as next
    returning audit_log.number into entry;
    return entry;
end
$$;

-- Evidence is sealed by chunks: the rows that one transaction recorded. chunk is what the batch had done before it.
alter table payrecon.evidence add column chunk bigint not null default 0;
-- Hash of everything a row says beside its bytes, which its key vouches for; null for rows from before the seal.
alter table payrecon.evidence add column row_hash bytea;

-- Hash of what a row of evidence says beside its bytes.
create function payrecon.evidence_row_hash(
    sha256 text, kind text, verdict text, reason text, bundle_id text, environment text, source text, header_sha256 text,
    charge_id text, transaction_id text, original_transaction_id text, signed_at timestamptz, received_at timestamptz
) returns bytea
language sql stable parallel safe
return sha256(record_send(row($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)));

-- Whom we were asked to forget: a keyed hash of the user id, and the name that stands for it in our books.
create table payrecon.erased_users (
    user_hash text collate "C" not null,
    pseudonym text collate "C" not null,
    erased_at timestamptz not null,
    constraint erased_users_pkey primary key (user_hash)
);

-- The key of those hashes: without it nobody can try user ids against the tombstones.
create table payrecon.erasure_key (
    key text collate "C" not null,
    constraint erasure_key_pkey primary key (key)
);
insert into payrecon.erasure_key (key) values (gen_random_uuid()::text || gen_random_uuid()::text);

-- The tombstone of a user id.
create function payrecon.erasure_hash(user_id text) returns text
language sql stable parallel safe
return (
    select encode(sha256(convert_to(erasure_key.key || '|' || $1, 'UTF8')), 'hex') from payrecon.erasure_key
);

-- What happened before there was a chain enters it now, so that from here on nothing can be taken away unseen.
do $$
declare
    past record;
begin
    for past in
        select act.at, act.actor, act.name, act.subject, act.details
        from (
            select 1 as section, now() as at, 'payrecon' as actor, 'migration_applied' as name, name as subject,
                json_build_object('sha256', sha256)::text as details
            from payrecon.migrations
            union all
            select 2, as_of, job, 'run_ended', run_id || '/' || attempt,
                json_build_object(
                    'run', run_id, 'attempt', attempt, 'verdict', verdict, 'settings', settings_sha256,
                    'code', code_version,
                    'manifests', (
                        select coalesce(json_agg(manifest_sha256 order by report_id), '[]')
                        from payrecon.report_manifests
                        where report_manifests.run_id = runs.run_id
                    )
                )::text
            from payrecon.runs
            where verdict is not null
            union all
            select 3, added_at, owner, 'list_added', entry_id, '{}' from payrecon.list_entries
            union all
            select 4, removed_at, removed_by, 'list_removed', entry_id, '{}' from payrecon.list_removals
            union all
            select 5, at, coalesce(approved_by, decided_by), 'case_' || step, case_id,
                json_build_object('decision', decision_id, 'action', action, 'outcome', outcome)::text
            from payrecon.case_decisions
            union all
            select 6, decided_at, 'payrecon', 'parked_' || outcome, parked_id, '{}' from payrecon.parked_outcomes
            union all
            select 7, answered_at, person, 'consumption_answered', transaction_id,
                json_build_object('outcome', outcome)::text
            from payrecon.consumption_answers
        ) as act
        order by act.section, act.at, act.subject collate "C"
    loop
        perform payrecon.audit_append(past.at, past.actor, past.name, past.subject, past.details);
    end loop;
    for past in
        select
            sealed.batch_id, count(*) as row_count,
            encode(sha256(string_agg(sealed.row_hash, ''::bytea order by sealed.sha256)), 'hex') as digest
        from (
            select
                batch_id, sha256,
                payrecon.evidence_row_hash(
                    sha256, kind, verdict, reason, bundle_id, environment, source, header_sha256, charge_id,
                    transaction_id, original_transaction_id, signed_at, received_at
                ) as row_hash
            from payrecon.evidence
        ) as sealed
        group by sealed.batch_id
        order by sealed.batch_id
    loop
        perform payrecon.audit_append(
            now(), 'payrecon', 'evidence_sealed', past.batch_id || '/0',
            json_build_object('rows', past.row_count, 'digest', past.digest)::text
        );
    end loop;
end
$$;

-- Roles: migrate owns, jobs add facts, report reads, review decides, erase forgets. Where the login may not make roles an
-- administrator makes them beforehand; payrecon doctor says which are missing.
do $$
declare
    wanted text;
begin
    foreach wanted in array array['payrecon_migrate', 'payrecon_report', 'payrecon_review', 'payrecon_erase'] loop
        if not exists (select from pg_roles where rolname = wanted) then
            begin
                execute format('create role %I nologin', wanted);
            exception
                when duplicate_object or unique_violation or insufficient_privilege then null;
            end;
        end if;
        if exists (select from pg_roles where rolname = wanted) then
            begin
                execute format('grant %I to %I', wanted, current_user);
            exception
                when insufficient_privilege or invalid_grant_operation or unique_violation then null;
            end;
        end if;
    end loop;
end
$$;

-- The owner. What is only added to is closed to it too: with everybody's rights it would be no boundary.
do $$
declare
    object record;
    wanted text;
begin
    begin
        if pg_has_role(current_user, 'payrecon_migrate', 'member') then
            execute format('grant create on database %I to payrecon_migrate', current_database());
            alter schema payrecon owner to payrecon_migrate;
            for object in
                select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'payrecon'
            loop
                execute format('alter table %s owner to payrecon_migrate', object.name);
            end loop;
            for object in
                select format('%s %s', case prokind when 'p' then 'procedure' else 'function' end, oid::regprocedure) as name
                from pg_proc
                where pronamespace = 'payrecon'::regnamespace
            loop
                execute format('alter %s owner to payrecon_migrate', object.name);
            end loop;
            for wanted in
                select rolname
                from pg_roles
                where rolname in (
                    'payrecon_jobs', 'payrecon_reader', 'payrecon_report', 'payrecon_review', 'payrecon_erase'
                )
            loop
                execute format(
                    'alter default privileges for role payrecon_migrate in schema payrecon grant select on tables to %I',
                    wanted
                );
            end loop;
            for object in
                select format('%I.%I', schemaname, tablename) as name
                from pg_tables
                where schemaname = 'payrecon'
                    and tablename in (
                        'evidence', 'signed_headers', 'evidence_links', 'sightings', 'unrecognized_values', 'transactions',
                        'renewal_infos', 'notifications', 'missed_notifications', 'parked_items', 'parked_outcomes',
                        'ended_matches', 'break_events', 'detections', 'signal_events', 'list_entries', 'list_removals',
                        'case_events', 'consumption_answers', 'job_attempts', 'report_manifests', 'erased_users',
                        'erasure_key'
                    )
            loop
                execute format('revoke insert, update, delete, truncate on %s from payrecon_migrate', object.name);
            end loop;
            -- The key from an approval to its proposal is checked with the owner's rights, which takes the right to lock.
            revoke insert, delete, truncate on payrecon.case_decisions from payrecon_migrate;
        end if;
    exception
        -- The role is missing, or the login may not give things away: the login stays the owner.
        when undefined_object or insufficient_privilege then null;
    end;
end
$$;

do $$
begin
    -- Of its own chain and of evidence nobody, the owner included, changes or removes a row.
    execute format(
        'revoke update, delete, truncate on payrecon.audit_log, payrecon.evidence, payrecon.signed_headers from %I',
        (select tableowner from pg_tables where schemaname = 'payrecon' and tablename = 'audit_log')
    );
end
$$;
