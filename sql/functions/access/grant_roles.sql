-- purpose: Grants each role its rights on the schema. Called after functions are recreated, and when a missing role is
--          created later. A new table is listed once for each role that may write it; every role may read it.
create or replace procedure payrecon.grant_roles()
language plpgsql
as $$
declare
    wanted text;
    hidden record;
    writer record;
begin
    -- Views of the past run with the rights of the reader.
    grant usage on schema payrecon_past to public;
    grant select on all tables in schema payrecon_past to public;
    foreach wanted in array array[
        'payrecon_jobs', 'payrecon_reader', 'payrecon_report', 'payrecon_review', 'payrecon_erase'
    ] loop
        if exists (select 1 from pg_roles where rolname = wanted) then
            execute format('grant usage on schema payrecon to %I', wanted);
            execute format('grant select on all tables in schema payrecon to %I', wanted);
            execute format('grant execute on all functions in schema payrecon to %I', wanted);
            execute format(
                'alter default privileges in schema payrecon grant select on tables to %I', wanted
            );
            if wanted <> 'payrecon_jobs' then
                -- Unverified posts that may contain addresses and shared secrets.
                execute format('revoke select on payrecon.received_notifications from %I', wanted);
            end if;
            -- Credentials, which only the functions that check them may read.
            execute format(
                'revoke select on payrecon.console_accounts, payrecon.console_sessions, payrecon.console_refusals, '
                'payrecon.console_key, payrecon.console_proxy_keys from %I', wanted
            );
            -- Attachments of any case.
            if wanted not in ('payrecon_review', 'payrecon_erase') then
                execute format('revoke select on payrecon.attachment_bodies from %I', wanted);
            end if;
            if wanted not in ('payrecon_jobs', 'payrecon_erase') then
                execute format('revoke select on payrecon.erasure_key from %I', wanted);
            end if;
        end if;
    end loop;

    -- Functions that write with the owner's rights are for reviewers; audit_append is for all acting roles.
    for writer in
        select pg_proc.oid::regprocedure as place
        from pg_proc
        where pg_proc.pronamespace = 'payrecon'::regnamespace
            and pg_proc.prosecdef
            and pg_proc.provolatile = 'v'
    loop
        execute format('revoke execute on function %s from public', writer.place);
        for wanted in
            select pg_roles.rolname
            from pg_roles
            where pg_roles.rolname in ('payrecon_jobs', 'payrecon_reader', 'payrecon_report', 'payrecon_erase')
        loop
            execute format('revoke execute on function %s from %I', writer.place, wanted);
        end loop;
    end loop;
    for wanted in
        select pg_roles.rolname
        from pg_roles
        where pg_roles.rolname in (
            'payrecon_jobs', 'payrecon_review', 'payrecon_erase', 'payrecon_retain', 'payrecon_reader', 'payrecon_report'
        )
    loop
        execute format('revoke insert on payrecon.audit_log from %I', wanted);
        if wanted not in ('payrecon_reader', 'payrecon_report') then
            execute format(
                'grant execute on function payrecon.audit_append(timestamptz, text, text, text, text) to %I', wanted
            );
        end if;
    end loop;

    -- Append-only tables are closed to the owner too; an owner with all rights would be no boundary.
    if exists (select 1 from pg_roles where rolname = 'payrecon_migrate') then
        revoke insert, update, delete, truncate on
            payrecon.signed_headers, payrecon.evidence, payrecon.evidence_links, payrecon.uploads,
            payrecon.unrecognized_values, payrecon.transactions, payrecon.renewal_infos, payrecon.notifications,
            payrecon.missed_notifications, payrecon.parked_items, payrecon.parked_outcomes, payrecon.ended_matches,
            payrecon.ended_refused_claims, payrecon.ended_second_charges, payrecon.ended_ambiguous_candidates,
            payrecon.break_events, payrecon.detections, payrecon.signal_events, payrecon.list_entries,
            payrecon.list_removals, payrecon.case_events, payrecon.consumption_answers, payrecon.consumption_intents,
            payrecon.consumption_outcomes, payrecon.job_attempts, payrecon.report_manifests, payrecon.erased_users,
            payrecon.erasure_key, payrecon.case_notes, payrecon.case_marks, payrecon.case_batches, payrecon.case_attachments,
            payrecon.attachment_bodies
        from payrecon_migrate;
        -- The foreign key from an approval to its proposal is checked with the owner's rights, which needs the right to lock
        -- rows.
        revoke insert, delete, truncate on payrecon.case_decisions, payrecon.case_undos from payrecon_migrate;
    end if;
    -- If the roles are missing, the login is the owner and may still append.
    execute format(
        'revoke update, delete, truncate on payrecon.audit_log, payrecon.evidence, payrecon.signed_headers, payrecon.judgements, '
        'payrecon.readers, payrecon.finance_files, payrecon.finance_parts, payrecon.finance_lines, payrecon.payment_lines, '
        'payrecon.bank_lines, payrecon.history_pages, payrecon.rule_trials, payrecon.rule_trial_ends, payrecon.rule_changes, '
        'payrecon.period_steps, payrecon.period_reports, payrecon.period_figures from %I',
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
                'payrecon.evidence'::regclass, 'payrecon.quarantined_items'::regclass, 'payrecon.parked_items'::regclass
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
            payrecon.defer_order_indexes(),
            payrecon.build_order_indexes(),
            payrecon.console_mail_addresses()
        to payrecon_jobs;
        -- Facts and decisions: appended, never changed, never removed.
        grant insert on
            payrecon.order_versions, payrecon.user_versions, payrecon.product_versions,
            payrecon.catalogue_price_versions, payrecon.signed_headers, payrecon.evidence, payrecon.evidence_links,
            payrecon.uploads, payrecon.unrecognized_values, payrecon.transactions, payrecon.renewal_infos,
            payrecon.notifications, payrecon.history_pages, payrecon.parked_items, payrecon.parked_outcomes,
            payrecon.ended_matches, payrecon.ended_refused_claims, payrecon.ended_second_charges,
            payrecon.ended_ambiguous_candidates, payrecon.break_events, payrecon.detections,
            payrecon.ended_pending_breaks, payrecon.api_misses, payrecon.missed_notifications, payrecon.job_attempts,
            payrecon.report_manifests, payrecon.polls, payrecon.renewal_plans, payrecon.renewal_plan_members,
            payrecon.renewal_forecasts, payrecon.signal_events, payrecon.shared_tokens,
            payrecon.settings_texts, payrecon.charged_apps, payrecon.proven_kinds,
            payrecon.user_tokens,
            payrecon.readers, payrecon.judgements, payrecon.quarantined_items, payrecon.truncated_inputs,
            payrecon.finance_files, payrecon.finance_parts, payrecon.finance_lines, payrecon.payment_lines,
            payrecon.bank_lines, payrecon.sent_verdicts, payrecon.customer_purchases, payrecon.console_changed,
            payrecon.rule_trial_ends, payrecon.consumption_intents, payrecon.consumption_outcomes
        to payrecon_jobs;
        -- An upload's charge follows from its verdict; its sender and instant never change.
        grant update (charge_id) on payrecon.uploads to payrecon_jobs;
        grant update (batch_id, released_batch_id, reader_sha256) on payrecon.quarantined_items to payrecon_jobs;
        -- The first input that completed a truncated record.
        grant update (completing_batch_id) on payrecon.truncated_inputs to payrecon_jobs;
        -- Newest states whose earlier states are stored elsewhere, and checkpoints.
        grant insert, update on
            payrecon.batches, payrecon.orders, payrecon.users, payrecon.products, payrecon.catalogue_prices,
            payrecon.charges, payrecon.runs, payrecon.collections, payrecon.job_windows, payrecon.renewal_outcomes,
            payrecon.match_state, payrecon.renewal_refreshes, payrecon.api_budgets, payrecon.input_hours,
            payrecon.quarantine_counts, payrecon.pull_watermarks, payrecon.finance_downloads,
            payrecon.order_readings, payrecon.report_sums_state
        to payrecon_jobs;
        -- Current state that can be recomputed; earlier state is stored in the tables of ended rows and events.
        grant insert, delete on
            payrecon.matches, payrecon.matched_orders, payrecon.refused_claims, payrecon.ambiguous_candidates,
            payrecon.second_charges, payrecon.pending_breaks, payrecon.received_notifications, payrecon.detect_due,
            payrecon.open_breaks, payrecon.open_signals, payrecon.decided_pairs, payrecon.tieouts,
            payrecon.tieout_cells, payrecon.tieout_parts, payrecon.tieout_offsets, payrecon.tieout_offset_days,
            payrecon.tieout_payments, payrecon.tieout_bridge, payrecon.rule_trial_nights, payrecon.partition_matches,
            payrecon.partition_refused_claims, payrecon.partition_second_charges, payrecon.partition_ambiguous_candidates
        to payrecon_jobs;
        -- A token is known since the earliest clock that reported it.
        grant update (batch_id) on payrecon.user_tokens to payrecon_jobs;
        -- A period reported without its line item is a separate charge only until the line item is known.
        grant delete on payrecon.charges to payrecon_jobs;
        -- Work lists, and sums that can be recomputed.
        grant insert, update, delete on
            payrecon.poll_queue, payrecon.changes, payrecon.renewal_news, payrecon.undetected, payrecon.unproven_evidence,
            payrecon.refused_notifications, payrecon.door_counts, payrecon.webhook_events, payrecon.webhook_posts,
            payrecon.webhook_reading, payrecon.webhook_cases, payrecon.partitions, payrecon.report_sums
        to payrecon_jobs;
        grant usage on all sequences in schema payrecon to payrecon_jobs;
    end if;

    if exists (select 1 from pg_roles where rolname = 'payrecon_review') then
        revoke execute on function payrecon.defer_order_indexes(), payrecon.build_order_indexes() from payrecon_review;
        -- Staff addresses are read by the job that sends mail.
        revoke execute on function payrecon.console_mail_addresses() from payrecon_review;
        grant insert on
            payrecon.list_entries, payrecon.list_removals, payrecon.case_events, payrecon.case_decisions,
            payrecon.case_undos, payrecon.consumption_answers, payrecon.case_notes, payrecon.case_marks,
            payrecon.case_batches, payrecon.case_attachments, payrecon.attachment_bodies, payrecon.rule_trials,
            payrecon.rule_changes, payrecon.period_steps, payrecon.period_reports, payrecon.period_figures,
            payrecon.parked_outcomes
        to payrecon_review;
        grant insert, update, delete on payrecon.case_leases to payrecon_review;
        -- Only functions write the console's queue.
        revoke insert, update, delete on payrecon.console_cases, payrecon.console_changed, payrecon.console_gathered
        from payrecon_review;
        grant insert, update, delete on payrecon.console_views, payrecon.console_preferences to payrecon_review;
        -- Reviewers decide; jobs do not.
        if exists (select 1 from pg_roles where rolname = 'payrecon_jobs') then
            revoke insert on
                payrecon.list_entries, payrecon.list_removals, payrecon.case_events, payrecon.case_decisions,
                payrecon.consumption_answers, payrecon.rule_trials, payrecon.rule_changes, payrecon.period_steps,
                payrecon.period_reports, payrecon.period_figures
            from payrecon_jobs;
            revoke insert, update, delete on payrecon.case_leases from payrecon_jobs;
        end if;
    end if;

    if exists (select 1 from pg_roles where rolname = 'payrecon_erase') then
        grant insert on payrecon.erased_users to payrecon_erase;
        -- User ids, and text that names a user; nothing signed, no amount, no instant.
        grant update (user_id) on payrecon.user_tokens to payrecon_erase;
        grant update (user_id, application_username, operator_id) on payrecon.orders, payrecon.order_versions to payrecon_erase;
        grant update (user_id) on payrecon.uploads, payrecon.renewal_plan_members to payrecon_erase;
        grant update (first_id, ids) on payrecon.changes to payrecon_erase;
        -- The new id changes the partition of the user's component, so a full run in progress starts again.
        grant delete on payrecon.partitions to payrecon_erase;
        -- Rows keyed by the user id are deleted and inserted, because a distributed table may store the new key on another
        -- node.
        grant insert, delete on payrecon.users, payrecon.user_versions to payrecon_erase;
        revoke update on payrecon.users, payrecon.user_versions from payrecon_erase;
        grant update (user_id, detail) on
            payrecon.break_events, payrecon.pending_breaks, payrecon.ended_pending_breaks
        to payrecon_erase;
        -- Ids of a person's signals and cases are hashes of the user id.
        grant update (signal_id, user_id, subject_id, detail, inputs) on payrecon.signal_events to payrecon_erase;
        grant update (signal_id) on payrecon.open_signals to payrecon_erase;
        grant update (case_id, subject_id, reason) on payrecon.case_decisions to payrecon_erase;
        grant update (case_id) on payrecon.case_leases to payrecon_erase;
        grant update (case_id, reason) on payrecon.case_events, payrecon.case_undos to payrecon_erase;
        grant update (case_id, note) on payrecon.case_notes to payrecon_erase;
        grant update (case_id, reason) on payrecon.case_marks to payrecon_erase;
        grant update (case_id) on payrecon.case_batches to payrecon_erase;
        grant update (case_id, subject_id, place) on payrecon.console_cases to payrecon_erase;
        grant update (case_id) on payrecon.webhook_cases to payrecon_erase;
        grant update (case_id, name) on payrecon.case_attachments to payrecon_erase;
        grant delete on payrecon.attachment_bodies, payrecon.console_changed to payrecon_erase;
        grant update (subject_id) on payrecon.webhook_events to payrecon_erase;
        grant update (subject_id, reason) on payrecon.list_entries to payrecon_erase;
        grant update (reason) on
            payrecon.list_removals, payrecon.consumption_answers, payrecon.parked_outcomes, payrecon.rule_changes, payrecon.period_steps
        to payrecon_erase;
        grant update (name, query) on payrecon.console_views to payrecon_erase;
        grant update (settings) on payrecon.settings_texts to payrecon_erase;
        grant update (raw, byte_count, reason) on payrecon.parked_items to payrecon_erase;
    end if;

    if exists (select 1 from pg_roles where rolname = 'payrecon_retain') then
        grant usage on schema payrecon to payrecon_retain;
        grant select on
            payrecon.audit_log, payrecon.parked_items, payrecon.parked_outcomes, payrecon.job_windows,
            payrecon.job_attempts, payrecon.case_leases, payrecon.quarantined_items
        to payrecon_retain;
        grant update (raw, header) on payrecon.parked_items to payrecon_retain;
        grant delete on
            payrecon.job_windows, payrecon.job_attempts, payrecon.case_leases, payrecon.quarantined_items
        to payrecon_retain;
        grant execute on function
            payrecon.rfc3339(timestamptz),
            payrecon.acting_account()
        to payrecon_retain;
    end if;
end
$$;
