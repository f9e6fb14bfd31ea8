-- purpose: Grants each role its rights on the schema. Called after functions are recreated, and when a missing role is
--          created later. A new table is listed once for each role that may write it; every role may read it.
create or replace procedure payrecon.grant_roles()
language plpgsql
set search_path = payrecon, pg_catalog, pg_temp
as $$
declare
    wanted text;
    hidden record;
    writer record;
begin
    -- Views of the past run with the rights of the reader.
    grant usage on schema payrecon_past to public;
    grant select on all tables in schema payrecon_past to public;
    for wanted in
        select rolname
        from pg_roles
        where rolname in ('payrecon_jobs', 'payrecon_reader', 'payrecon_report', 'payrecon_review', 'payrecon_erase')
    loop
        execute format('grant usage on schema payrecon to %I', wanted);
        execute format('grant select on all tables in schema payrecon to %I', wanted);
        execute format('grant execute on all functions in schema payrecon to %I', wanted);
        execute format('alter default privileges in schema payrecon grant select on tables to %I', wanted);
        if wanted <> 'payrecon_jobs' then
            -- Unverified posts that may contain addresses and shared secrets.
            execute format('revoke select on received_notifications from %I', wanted);
        end if;
        -- Credentials, which only the functions that check them may read.
        execute format(
            'revoke select on console_accounts, console_sessions, console_refusals, console_key, console_proxy_keys from %I', wanted
        );
        -- Attachments of any case.
        if wanted not in ('payrecon_review', 'payrecon_erase') then
            execute format('revoke select on attachment_bodies from %I', wanted);
        end if;
        if wanted not in ('payrecon_jobs', 'payrecon_erase') then
            execute format('revoke select on erasure_key from %I', wanted);
        end if;
    end loop;

    -- Functions that write with the owner's rights are for reviewers; audit_append is for all acting roles.
    for writer in
        select pg_proc.oid::regprocedure as place, barred.name
        from pg_proc
        cross join (
            select 'public' as name
            union all
            select quote_ident(rolname)
            from pg_roles
            where rolname in ('payrecon_jobs', 'payrecon_reader', 'payrecon_report', 'payrecon_erase')
        ) as barred
        where pg_proc.pronamespace = 'payrecon'::regnamespace
            and pg_proc.prosecdef
            and pg_proc.provolatile = 'v'
    loop
        execute format('revoke execute on function %s from %s', writer.place, writer.name);
    end loop;
    for wanted in
        select rolname
        from pg_roles
        where rolname in (
            'payrecon_jobs', 'payrecon_review', 'payrecon_erase', 'payrecon_retain', 'payrecon_reader', 'payrecon_report'
        )
    loop
        execute format('revoke insert on audit_log from %I', wanted);
        if wanted not in ('payrecon_reader', 'payrecon_report') then
            execute format('grant execute on function audit_append(timestamptz, text, text, text, text) to %I', wanted);
        end if;
    end loop;

    -- Append-only tables are closed to the owner too; an owner with all rights would be no boundary.
    if exists (select 1 from pg_roles where rolname = 'payrecon_migrate') then
        revoke insert, update, delete, truncate on
            signed_headers, evidence, evidence_links, uploads, unrecognized_values, transactions, renewal_infos, notifications,
            missed_notifications, parked_items, parked_outcomes, ended_matches, ended_refused_claims, ended_second_charges,
            ended_ambiguous_candidates, break_events, detections, signal_events, list_entries, list_removals, case_events,
            consumption_answers, consumption_intents, consumption_outcomes, job_attempts, report_manifests, erased_users,
            erasure_key, case_notes, case_marks, case_batches, case_attachments, attachment_bodies
        from payrecon_migrate;
        -- The foreign key from an approval to its proposal is checked with the owner's rights, which needs the right to lock
        -- rows.
        revoke insert, delete, truncate on case_decisions, case_undos from payrecon_migrate;
    end if;
    -- If the roles are missing, the login is the owner and may still append.
    execute format(
        'revoke update, delete, truncate on audit_log, evidence, signed_headers, judgements, readers, finance_files, finance_parts, '
        'finance_lines, payment_lines, bank_lines, history_pages, rule_trials, rule_trial_ends, rule_changes, period_steps, '
        'period_reports, period_figures from %I',
        (select tableowner from pg_tables where schemaname = 'payrecon' and tablename = 'audit_log')
    );

    if exists (select 1 from pg_roles where rolname = 'payrecon_reader') then
        -- Signed bytes can be replayed for goods, and parked input may contain anything.
        for hidden in
            select
                attribute.attrelid::regclass as place,
                string_agg(quote_ident(attribute.attname), ', ' order by attribute.attnum)
                    filter (where attribute.attname not in ('body', 'body_base64', 'raw', 'header')) as columns
            from pg_attribute as attribute
            where attribute.attrelid in (
                    'evidence'::regclass, 'quarantined_items'::regclass, 'parked_items'::regclass, 'finance_parts'::regclass
                )
                and attribute.attnum > 0
                and not attribute.attisdropped
            group by attribute.attrelid
        loop
            execute format('revoke select on %s from payrecon_reader', hidden.place);
            execute format('grant select (%s) on %s to payrecon_reader', hidden.columns, hidden.place);
        end loop;
    end if;

    if exists (select 1 from pg_roles where rolname = 'payrecon_jobs') then
        grant execute on function
            defer_order_indexes(),
            build_order_indexes(),
            console_mail_addresses()
        to payrecon_jobs;
        -- Facts and decisions: appended, never changed, never removed.
        grant insert on
            order_versions, user_versions, product_versions, catalogue_price_versions, signed_headers, evidence, evidence_links,
            uploads, unrecognized_values, transactions, renewal_infos, notifications, history_pages, parked_items,
            parked_outcomes, ended_matches, ended_refused_claims, ended_second_charges, ended_ambiguous_candidates,
            break_events, detections, ended_pending_breaks, api_misses, missed_notifications, job_attempts, report_manifests,
            polls, renewal_plans, renewal_plan_members, renewal_forecasts, signal_events, shared_tokens, settings_texts,
            charged_apps, proven_kinds, user_tokens, readers, judgements, quarantined_items, truncated_inputs, finance_files,
            finance_parts, finance_lines, payment_lines, bank_lines, sent_verdicts, customer_purchases, console_changed,
            rule_trial_ends, consumption_intents, consumption_outcomes
        to payrecon_jobs;
        -- An upload's charge follows from its verdict; its sender and instant never change.
        grant update (charge_id) on uploads to payrecon_jobs;
        grant update (batch_id, released_batch_id, reader_sha256) on quarantined_items to payrecon_jobs;
        -- The first input that completed a truncated record.
        grant update (completing_batch_id) on truncated_inputs to payrecon_jobs;
        -- Newest states whose earlier states are stored elsewhere, and checkpoints.
        grant insert, update on
            batches, orders, users, products, catalogue_prices, charges, runs, collections, job_windows, renewal_outcomes,
            match_state, renewal_refreshes, api_budgets, input_hours, quarantine_counts, pull_watermarks, finance_downloads,
            order_readings, report_sums_state
        to payrecon_jobs;
        -- Current state that can be recomputed; earlier state is stored in the tables of ended rows and events.
        grant insert, delete on
            matches, matched_orders, refused_claims, ambiguous_candidates, second_charges, pending_breaks,
            received_notifications, detect_due, open_breaks, open_signals, decided_pairs, tieouts, tieout_cells, tieout_parts,
            tieout_offsets, tieout_offset_days, tieout_payments, tieout_bridge, rule_trial_nights, partition_matches,
            partition_refused_claims, partition_second_charges, partition_ambiguous_candidates
        to payrecon_jobs;
        -- A token is known since the earliest clock that reported it.
        grant update (batch_id) on user_tokens to payrecon_jobs;
        -- A period reported without its line item is a separate charge only until the line item is known.
        grant delete on charges to payrecon_jobs;
        -- Work lists, and sums that can be recomputed.
        grant insert, update, delete on
            poll_queue, changes, renewal_news, undetected, unproven_evidence, refused_notifications, door_counts,
            webhook_events, webhook_posts, webhook_reading, webhook_cases, partitions, report_sums
        to payrecon_jobs;
        grant usage on all sequences in schema payrecon to payrecon_jobs;
    end if;

    if exists (select 1 from pg_roles where rolname = 'payrecon_review') then
        revoke execute on function defer_order_indexes(), build_order_indexes() from payrecon_review;
        -- Staff addresses are read by the job that sends mail.
        revoke execute on function console_mail_addresses() from payrecon_review;
        grant insert on
            list_entries, list_removals, case_events, case_decisions, case_undos, consumption_answers, case_notes, case_marks,
            case_batches, case_attachments, attachment_bodies, rule_trials, rule_changes, period_steps, period_reports,
            period_figures, parked_outcomes
        to payrecon_review;
        grant insert, update, delete on case_leases to payrecon_review;
        -- Only functions write the console's queue.
        revoke insert, update, delete on console_cases, console_changed, console_gathered from payrecon_review;
        grant insert, update, delete on console_views, console_preferences to payrecon_review;
        -- Reviewers decide; jobs do not.
        if exists (select 1 from pg_roles where rolname = 'payrecon_jobs') then
            revoke insert on
                list_entries, list_removals, case_events, case_decisions, consumption_answers, rule_trials, rule_changes,
                period_steps, period_reports, period_figures
            from payrecon_jobs;
            revoke insert, update, delete on case_leases from payrecon_jobs;
        end if;
    end if;

    if exists (select 1 from pg_roles where rolname = 'payrecon_erase') then
        grant insert on erased_users to payrecon_erase;
        -- User ids, and text that names a user; nothing signed, no amount, no instant.
        grant update (user_id) on user_tokens to payrecon_erase;
        grant update (user_id, application_username, operator_id) on orders, order_versions to payrecon_erase;
        grant update (user_id) on uploads, renewal_plan_members to payrecon_erase;
        grant update (first_id, ids) on changes to payrecon_erase;
        -- The new id changes the partition of the user's component, so a full run in progress starts again.
        grant delete on partitions to payrecon_erase;
        -- Rows keyed by the user id are deleted and inserted, because a distributed table may store the new key on another
        -- node.
        grant insert, delete on users, user_versions to payrecon_erase;
        revoke update on users, user_versions from payrecon_erase;
        grant update (user_id, detail) on break_events, pending_breaks, ended_pending_breaks to payrecon_erase;
        -- Ids of a person's signals and cases are hashes of the user id.
        grant update (signal_id, user_id, subject_id, detail, inputs) on signal_events to payrecon_erase;
        grant update (signal_id) on open_signals to payrecon_erase;
        grant update (case_id, subject_id, reason) on case_decisions to payrecon_erase;
        grant update (case_id) on case_leases to payrecon_erase;
        grant update (case_id, reason) on case_events, case_undos to payrecon_erase;
        grant update (case_id, note) on case_notes to payrecon_erase;
        grant update (case_id, item_ids, reason) on case_marks to payrecon_erase;
        grant update (case_id) on case_batches to payrecon_erase;
        grant update (case_id, subject_id, item_ids, place) on console_cases to payrecon_erase;
        grant update (case_id) on webhook_cases to payrecon_erase;
        grant update (case_id, name) on case_attachments to payrecon_erase;
        grant delete on attachment_bodies, console_changed to payrecon_erase;
        grant update (subject_id) on webhook_events to payrecon_erase;
        grant update (subject_id, family, reason) on list_entries to payrecon_erase;
        grant update (reason) on
            list_removals, consumption_answers, parked_outcomes, rule_changes, period_steps
        to payrecon_erase;
        grant update (name, query) on console_views to payrecon_erase;
        grant update (raw, byte_count, reason) on parked_items to payrecon_erase;
    end if;

    if exists (select 1 from pg_roles where rolname = 'payrecon_retain') then
        grant usage on schema payrecon to payrecon_retain;
        grant select on
            audit_log, parked_items, parked_outcomes, job_windows, job_attempts, case_leases, quarantined_items
        to payrecon_retain;
        grant update (raw, header) on parked_items to payrecon_retain;
        grant delete on job_windows, job_attempts, case_leases, quarantined_items to payrecon_retain;
        grant execute on function rfc3339(timestamptz), acting_account() to payrecon_retain;
    end if;
end
$$;
