-- purpose: the state of a few subscriptions at a clock, for a queue that is brought up to what was heard since the last
--          time, at the cost of that. Apple's tries to collect end on day 60; day 61 is still asked about.

-- Exposure is compared within its currency. Rows from before have none until the queue is next brought up.
alter table payrecon.poll_queue add column currency text collate "C" not null default '';
alter table payrecon.poll_queue alter column currency drop default;

-- Chains that something was heard of since the queue of appointments was last brought up; a work list. On Citus an
-- ordinary table of the coordinator, as the queue.
create table payrecon.renewal_news (
    original_transaction_id text collate "C" not null,
    -- The newest batch that told; 0 for a question that was answered.
    batch_id bigint not null,
    constraint renewal_news_pkey primary key (original_transaction_id)
);

-- Up to which clock an app's queue was brought, and by which version of the schedule.
create table payrecon.renewal_refreshes (
    bundle_id text collate "C" not null,
    code_version text collate "C" not null,
    refreshed_at timestamptz not null,
    constraint renewal_refreshes_pkey primary key (bundle_id)
);

create index notifications_original_transaction_id_idx on payrecon.notifications (original_transaction_id)
where status is not null;
