-- purpose: what lets a detect run look only at what changed, at what a clock passed, and at what these can reach.

-- Orders and chains (original transaction ids) that match runs decided and no detect run has looked at since, thousands
-- to a row; the run that takes them removes them.
create table payrecon.undetected (
    first_id text collate "C" not null,
    kind text collate "C" not null,
    ids text[] collate "C" not null,
    constraint undetected_pkey primary key (first_id, kind),
    constraint undetected_kind check (kind in ('order', 'chain'))
);

-- Instants at which an order or a chain must be looked at again though nothing was told of it: a grace time ends, a
-- period is over. The run whose clock passes one removes it.
create table payrecon.detect_due (
    id text collate "C" not null,
    kind text collate "C" not null,
    due_at timestamptz not null,
    constraint detect_due_pkey primary key (id, kind, due_at),
    constraint detect_due_kind check (kind in ('order', 'chain'))
);
create index detect_due_due_at on payrecon.detect_due (due_at);

-- Which event of each open break is its newest: a projection of break_events, written with it.
create table payrecon.open_breaks (
    break_id text collate "C" not null,
    subject_id text collate "C" not null,
    attempt integer not null,
    as_of timestamptz not null,
    constraint open_breaks_pkey primary key (break_id)
);
create index open_breaks_subject on payrecon.open_breaks (subject_id);
create index pending_breaks_subject on payrecon.pending_breaks (subject_id);
insert into payrecon.open_breaks (break_id, subject_id, attempt, as_of)
select newest.break_id, newest.subject_id, newest.attempt, newest.as_of
from (
    select distinct on (break_events.break_id) break_events.*
    from payrecon.break_events
    order by break_events.break_id, break_events.as_of desc, break_events.attempt desc
) as newest
where newest.is_open;

-- What the rules begin with, however long the history is.
create index charges_revoked on payrecon.charges (revoked_at) where revoked_at is not null;
create index charges_offered on payrecon.charges (purchased_at) where offer_type in (1, 4);
create index charges_family on payrecon.charges (charge_id) where state = 'family';
create index charges_product on payrecon.charges (product_id, bundle_id, purchased_at);
create index notifications_about_refunds on payrecon.notifications (signed_at)
where type in ('CONSUMPTION_REQUEST', 'REFUND', 'REFUND_DECLINED');
create index users_tester on payrecon.users (user_id) where is_tester;
create index list_entries_subject on payrecon.list_entries (subject_id, list);
create index list_entries_family on payrecon.list_entries (family) where list = 'family';
-- Of all kinds of purchases, not of subscriptions alone.
drop index payrecon.notifications_original_transaction_id_idx;
create index notifications_original_transaction_id_idx on payrecon.notifications (original_transaction_id);
create index notifications_evidence on payrecon.notifications (evidence_sha256);
create index evidence_links_parent on payrecon.evidence_links (parent_sha256);
