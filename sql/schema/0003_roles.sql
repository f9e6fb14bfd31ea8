-- purpose: least privilege. Jobs act as payrecon_jobs, which can add facts but neither change nor remove them;
--          people who only look act as payrecon_reader. Append-only is a matter of grants, not of triggers.
-- note:    where the login may not make roles, an administrator makes both beforehand; without them jobs act as
--          the login, and payrecon doctor says so.
do $$
declare
    wanted text;
begin
    foreach wanted in array array['payrecon_jobs', 'payrecon_reader'] loop
        if not exists (select from pg_roles where rolname = wanted) then
            begin
                execute format('create role %I nologin', wanted);
            exception
                -- Another database of this cluster may be making the same role right now.
                when duplicate_object or unique_violation or insufficient_privilege then null;
            end;
        end if;
        if exists (select from pg_roles where rolname = wanted) then
            begin
                execute format('grant %I to %I', wanted, current_user);
            exception
                when insufficient_privilege or invalid_grant_operation or unique_violation then null;
            end;
            execute format('grant usage on schema payrecon to %I', wanted);
            execute format('grant select on all tables in schema payrecon to %I', wanted);
            execute format('grant execute on all functions in schema payrecon to %I', wanted);
        end if;
    end loop;

    if exists (select from pg_roles where rolname = 'payrecon_jobs') then
        -- Facts and decisions: added, never changed, never removed.
        grant insert on
            payrecon.order_versions, payrecon.signed_headers, payrecon.evidence, payrecon.evidence_links, payrecon.sightings,
            payrecon.unrecognized_values, payrecon.transactions, payrecon.renewal_infos, payrecon.notifications,
            payrecon.match_keys, payrecon.parked_items, payrecon.parked_outcomes, payrecon.ended_matches,
            payrecon.break_events, payrecon.detections, payrecon.ended_pending_breaks
        to payrecon_jobs;
        -- The newest state of something whose earlier states are kept elsewhere, and checkpoints.
        grant insert, update on
            payrecon.batches, payrecon.orders, payrecon.users, payrecon.products, payrecon.catalogue_prices,
            payrecon.charges, payrecon.runs
        to payrecon_jobs;
        -- What is true now and can be computed again; what was true before is in ended_matches and break_events.
        grant insert, delete on
            payrecon.matches, payrecon.claims, payrecon.refused_claims, payrecon.ambiguous_candidates,
            payrecon.second_charges, payrecon.pending_breaks
        to payrecon_jobs;
        grant usage on all sequences in schema payrecon to payrecon_jobs;
    end if;
end
$$;
