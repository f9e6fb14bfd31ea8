-- purpose: the tables as known at payrecon_past.clock(), under their own names. A transaction that reads the past puts this
--          schema first in its search path, so that one statement text reads the present and the past.
-- note:    each view runs with the rights of the reader, so that every role may use it.
-- Batches that become known after the clock. There is no table of this name.
create or replace view payrecon_past.later_batches with (security_invoker = true) as
select batch_id from payrecon.batches where known_at > payrecon_past.clock();

do $views$
declare
    past record;
begin
    for past in
        -- Tables that store only the newest state or whose rows end, and tables with their own clock.
        select entry.name, entry.rows
        from (values
            ('orders', 'payrecon.orders_at(payrecon_past.clock())'),
            ('users', 'payrecon.users_at(payrecon_past.clock())'),
            ('products', 'payrecon.products_at(payrecon_past.clock())'),
            ('catalogue_prices', 'payrecon.catalogue_prices_at(payrecon_past.clock())'),
            ('charges', 'payrecon.charges_at(payrecon_past.clock())'),
            ('charge_aliases', 'payrecon.charge_aliases_at(payrecon_past.clock(), null)'),
            ('matches', 'payrecon.matches_at(payrecon_past.clock())'),
            ('refused_claims', 'payrecon.refused_claims_at(payrecon_past.clock())'),
            ('second_charges', 'payrecon.second_charges_at(payrecon_past.clock())'),
            ('ambiguous_candidates', 'payrecon.ambiguous_candidates_at(payrecon_past.clock())'),
            ('pending_breaks', 'payrecon.pending_breaks_at(payrecon_past.clock())'),
            ('runs', 'payrecon.runs_at(payrecon_past.clock())'),
            ('ended_matches', 'payrecon.ended_matches where valid_to <= payrecon_past.clock()'),
            ('break_events', 'payrecon.break_events where as_of <= payrecon_past.clock()'),
            ('signal_events', 'payrecon.signal_events where as_of <= payrecon_past.clock()'),
            ('detections', 'payrecon.detections where as_of <= payrecon_past.clock()'),
            ('tieouts', 'payrecon.tieouts where as_of <= payrecon_past.clock()'),
            ('api_misses', 'payrecon.api_misses where requested_at <= payrecon_past.clock()'),
            ('batches', 'payrecon.batches where known_at <= payrecon_past.clock()'),
            ('parked_outcomes', 'payrecon.parked_outcomes where decided_at <= payrecon_past.clock()')
        ) as entry (name, rows)
        union all
        -- Append-only facts, by their batch.
        select fact.name, format('payrecon.%I where batch_id not in (select batch_id from payrecon_past.later_batches)', fact.name)
        from unnest(array[
            'evidence', 'user_tokens', 'uploads', 'unrecognized_values', 'transactions', 'renewal_infos', 'notifications',
            'parked_items', 'judgements', 'quarantine_counts', 'bank_lines'
        ]) as fact (name)
    loop
        execute format(
            'create or replace view payrecon_past.%I with (security_invoker = true) as select * from %s', past.name, past.rows
        );
    end loop;
end
$views$;

create or replace view payrecon_past.open_break_events with (security_invoker = true) as
select newest.*, payrecon.break_place(newest.severity, newest.opened_at, newest.break_id) as place
from (
    select distinct on (break_events.break_id) break_events.*
    from payrecon.break_events
    where break_events.as_of <= payrecon_past.clock()
    order by break_events.break_id, break_events.as_of desc, break_events.attempt desc
) as newest
where newest.is_open;

create or replace view payrecon_past.open_breaks with (security_invoker = true) as
select break_id, subject_id, attempt, as_of, place, class, bundle_id from payrecon_past.open_break_events;

create or replace view payrecon_past.open_signal_events with (security_invoker = true) as
select newest.*
from (
    select distinct on (signal_events.signal_id) signal_events.*
    from payrecon.signal_events
    where signal_events.as_of <= payrecon_past.clock()
    order by signal_events.signal_id, signal_events.as_of desc, signal_events.attempt desc
) as newest
where newest.is_open;

create or replace view payrecon_past.open_signals with (security_invoker = true) as
select signal_id, rule, state, attempt, as_of from payrecon_past.open_signal_events;

create or replace view payrecon_past.matched_orders with (security_invoker = true) as
select matches.order_id, matches.charge_id, matches.original_transaction_id
from payrecon.matches_at(payrecon_past.clock()) as matches;

create or replace view payrecon_past.decided_pairs with (security_invoker = true) as
select decided.order_id, decided.charge_id, charges.original_transaction_id, decided.action, decided.decision_id
from payrecon.decided_pairs_at(payrecon_past.clock()) as decided
inner join payrecon_past.charges on charges.charge_id = decided.charge_id;

create or replace view payrecon_past.order_versions with (security_invoker = true) as
select *
from payrecon.order_versions
where batch_id not in (select batch_id from payrecon_past.later_batches)
    and replaced_by_batch_id not in (select batch_id from payrecon_past.later_batches);

create or replace view payrecon_past.evidence_links with (security_invoker = true) as
select evidence_links.*
from payrecon.evidence_links
where evidence_links.batch_id is not null
    and evidence_links.batch_id not in (select batch_id from payrecon_past.later_batches)
union all
select evidence_links.*
from payrecon.evidence_links
where evidence_links.batch_id is null
    and evidence_links.parent_sha256 in (
        select evidence.sha256
        from payrecon.evidence
        where evidence.batch_id not in (select batch_id from payrecon_past.later_batches)
    );

-- The present views, over the tables of the past.
do $present$
declare
    path text := current_setting('search_path');
    present regclass;
begin
    -- The definitions then name tables with their schema.
    perform set_config('search_path', 'pg_catalog', true);
    foreach present in array array[
        'payrecon.judged_evidence', 'payrecon.summed_charges', 'payrecon.summed_orders', 'payrecon.summed_matches'
    ]::regclass[] loop
        execute format(
            'create or replace view %s with (security_invoker = true) as %s', replace(present::text, 'payrecon.', 'payrecon_past.'),
            replace(pg_get_viewdef(present), 'payrecon.', 'payrecon_past.')
        );
    end loop;
    perform set_config('search_path', path, true);
end
$present$;

create or replace view payrecon_past.quarantined_items with (security_invoker = true) as
select
    source, day, sha256, kind, bundle_id, environment, verdict, reason, reader_sha256, body_base64, byte_count, batch_id,
    case
        when exists (select 1 from payrecon_past.batches where batches.batch_id = quarantined_items.released_batch_id)
            then released_batch_id
    end as released_batch_id,
    received_at
from payrecon.quarantined_items
where batch_id in (select batch_id from payrecon_past.batches);
