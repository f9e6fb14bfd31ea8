-- purpose: the tables as known at payrecon_past.clock(), under their own names. A transaction that reads the past puts this
--          schema first in its search path, so that one statement text reads the present and the past.
-- note:    each view runs with the rights of the reader, so that every role may use it.
-- Tables that store only the newest state, and tables whose rows end.
create or replace view payrecon_past.orders with (security_invoker = true) as
select * from payrecon.orders_at(payrecon_past.clock());

create or replace view payrecon_past.users with (security_invoker = true) as
select * from payrecon.users_at(payrecon_past.clock());

create or replace view payrecon_past.products with (security_invoker = true) as
select * from payrecon.products_at(payrecon_past.clock());

create or replace view payrecon_past.catalogue_prices with (security_invoker = true) as
select * from payrecon.catalogue_prices_at(payrecon_past.clock());

create or replace view payrecon_past.charges with (security_invoker = true) as
select * from payrecon.charges_at(payrecon_past.clock());

create or replace view payrecon_past.charge_aliases with (security_invoker = true) as
select * from payrecon.charge_aliases_at(payrecon_past.clock(), null);

create or replace view payrecon_past.matches with (security_invoker = true) as
select * from payrecon.matches_at(payrecon_past.clock());

create or replace view payrecon_past.refused_claims with (security_invoker = true) as
select * from payrecon.refused_claims_at(payrecon_past.clock());

create or replace view payrecon_past.second_charges with (security_invoker = true) as
select * from payrecon.second_charges_at(payrecon_past.clock());

create or replace view payrecon_past.ambiguous_candidates with (security_invoker = true) as
select * from payrecon.ambiguous_candidates_at(payrecon_past.clock());

create or replace view payrecon_past.pending_breaks with (security_invoker = true) as
select * from payrecon.pending_breaks_at(payrecon_past.clock());

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

create or replace view payrecon_past.open_signals with (security_invoker = true) as
select newest.signal_id, newest.rule, newest.state, newest.attempt, newest.as_of
from (
    select distinct on (signal_events.signal_id) signal_events.*
    from payrecon.signal_events
    where signal_events.as_of <= payrecon_past.clock()
    order by signal_events.signal_id, signal_events.as_of desc, signal_events.attempt desc
) as newest
where newest.is_open;

create or replace view payrecon_past.matched_orders with (security_invoker = true) as
select matches.order_id, matches.charge_id, matches.original_transaction_id
from payrecon.matches_at(payrecon_past.clock()) as matches;

create or replace view payrecon_past.summed_charges with (security_invoker = true) as
select
    charges.original_transaction_id, charges.charge_id, charges.bundle_id, charges.environment, charges.currency, charges.state,
    charges.price_milliunits, charges.refunded_milliunits, charges.purchased_at, charges.revoked_at, charges.reversed_at
from payrecon.charges_at(payrecon_past.clock()) as charges;

create or replace view payrecon_past.summed_orders with (security_invoker = true) as
select
    orders.order_id, orders.bundle_id, orders.environment, orders.currency, orders.status, orders.price_milliunits, orders.created_at,
    orders.paid_at, orders.delivered_at
from payrecon.orders_at(payrecon_past.clock()) as orders;

create or replace view payrecon_past.summed_matches with (security_invoker = true) as
select matches.original_transaction_id, matches.charge_id, matches.order_id, matches.confidence
from payrecon.matches_at(payrecon_past.clock()) as matches;

create or replace view payrecon_past.ended_matches with (security_invoker = true) as
select ended_matches.*
from payrecon.ended_matches
where ended_matches.valid_to <= payrecon_past.clock();

create or replace view payrecon_past.decided_pairs with (security_invoker = true) as
select decided.order_id, decided.charge_id, charges.original_transaction_id, decided.action, decided.decision_id
from payrecon.decided_pairs_at(payrecon_past.clock()) as decided
inner join payrecon_past.charges on charges.charge_id = decided.charge_id;

-- Batches that become known after the clock. There is no table of this name.
create or replace view payrecon_past.later_batches with (security_invoker = true) as
select batch_id from payrecon.batches where known_at > payrecon_past.clock();

-- Append-only facts, by their batch.
create or replace view payrecon_past.evidence with (security_invoker = true) as
select * from payrecon.evidence where batch_id not in (select batch_id from payrecon_past.later_batches);

create or replace view payrecon_past.user_tokens with (security_invoker = true) as
select * from payrecon.user_tokens where batch_id not in (select batch_id from payrecon_past.later_batches);

create or replace view payrecon_past.uploads with (security_invoker = true) as
select * from payrecon.uploads where batch_id not in (select batch_id from payrecon_past.later_batches);

create or replace view payrecon_past.unrecognized_values with (security_invoker = true) as
select * from payrecon.unrecognized_values where batch_id not in (select batch_id from payrecon_past.later_batches);

create or replace view payrecon_past.transactions with (security_invoker = true) as
select * from payrecon.transactions where batch_id not in (select batch_id from payrecon_past.later_batches);

create or replace view payrecon_past.renewal_infos with (security_invoker = true) as
select * from payrecon.renewal_infos where batch_id not in (select batch_id from payrecon_past.later_batches);

create or replace view payrecon_past.notifications with (security_invoker = true) as
select * from payrecon.notifications where batch_id not in (select batch_id from payrecon_past.later_batches);

create or replace view payrecon_past.parked_items with (security_invoker = true) as
select * from payrecon.parked_items where batch_id not in (select batch_id from payrecon_past.later_batches);

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

-- Tables with their own clock.
create or replace view payrecon_past.break_events with (security_invoker = true) as
select * from payrecon.break_events where as_of <= payrecon_past.clock();

create or replace view payrecon_past.signal_events with (security_invoker = true) as
select * from payrecon.signal_events where as_of <= payrecon_past.clock();

create or replace view payrecon_past.detections with (security_invoker = true) as
select * from payrecon.detections where as_of <= payrecon_past.clock();

create or replace view payrecon_past.runs with (security_invoker = true) as
select * from payrecon.runs_at(payrecon_past.clock());

create or replace view payrecon_past.api_misses with (security_invoker = true) as
select * from payrecon.api_misses where requested_at <= payrecon_past.clock();

create or replace view payrecon_past.batches with (security_invoker = true) as
select * from payrecon.batches where known_at <= payrecon_past.clock();

create or replace view payrecon_past.parked_outcomes with (security_invoker = true) as
select * from payrecon.parked_outcomes where decided_at <= payrecon_past.clock();

-- Later verdicts, and the quarantine.
create or replace view payrecon_past.judgements with (security_invoker = true) as
select * from payrecon.judgements where batch_id not in (select batch_id from payrecon_past.later_batches);

create or replace view payrecon_past.judged_evidence with (security_invoker = true) as
select
    evidence.sha256, evidence.verdict as first_verdict,
    coalesce(latest.verdict, evidence.verdict) as verdict,
    coalesce(latest.reason, evidence.reason) as reason,
    coalesce(latest.kind, evidence.kind) as kind,
    coalesce(latest.bundle_id, evidence.bundle_id) as bundle_id,
    coalesce(latest.environment, evidence.environment) as environment,
    coalesce(latest.charge_id, evidence.charge_id) as charge_id,
    coalesce(latest.transaction_id, evidence.transaction_id) as transaction_id,
    coalesce(latest.original_transaction_id, evidence.original_transaction_id) as original_transaction_id,
    coalesce(latest.signed_at, evidence.signed_at) as signed_at,
    latest.replaced_by, evidence.source, evidence.header_key, evidence.body, evidence.batch_id, evidence.received_at,
    evidence.unpacked_length
from payrecon_past.evidence
left join lateral (
    select judgements.*
    from payrecon_past.judgements
    where judgements.sha256 = evidence.sha256
        and evidence.verdict <> 'genuine'
    order by judgements.batch_id desc, judgements.chunk desc
    limit 1
) as latest on true;

create or replace view payrecon_past.quarantine_counts with (security_invoker = true) as
select quarantine_counts.*
from payrecon.quarantine_counts
where not exists (
    select 1
    from payrecon.batches
    where batches.batch_id = quarantine_counts.batch_id
        and batches.known_at > payrecon_past.clock()
);

create or replace view payrecon_past.quarantined_items with (security_invoker = true) as
select
    source, day, sha256, kind, bundle_id, environment, verdict, reason, reader_sha256, body_base64, byte_count, batch_id,
    case
        when exists (
            select 1
            from payrecon.batches
            where batches.batch_id = quarantined_items.released_batch_id
                and batches.known_at <= payrecon_past.clock()
        ) then quarantined_items.released_batch_id
    end as released_batch_id,
    received_at
from payrecon.quarantined_items
where exists (
    select 1
    from payrecon.batches
    where batches.batch_id = quarantined_items.batch_id
        and batches.known_at <= payrecon_past.clock()
);

-- Tie-outs by their clock.
create or replace view payrecon_past.tieouts with (security_invoker = true) as
select * from payrecon.tieouts where as_of <= payrecon_past.clock();

create or replace view payrecon_past.bank_lines with (security_invoker = true) as
select bank_lines.*
from payrecon.bank_lines
where exists (
    select 1
    from payrecon.batches
    where batches.batch_id = bank_lines.batch_id
        and batches.known_at <= payrecon_past.clock()
);
