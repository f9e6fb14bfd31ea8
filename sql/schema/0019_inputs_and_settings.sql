-- purpose: what each hour of business time was told of, so that a night knows whether its input is fresh; the text of settings,
--          so that a change of them can be told; the apps that have charges; runs that were given a clock ahead of time.

-- How many rows a batch told that were not known before, by the hour of what they tell: updated_at of orders, Apple's
-- signature of evidence. A repeat tells nothing new and is not counted.
create table payrecon.input_hours (
    batch_id bigint not null,
    kind text collate "C" not null,
    fact_hour timestamptz not null,
    row_count bigint not null,
    newest_fact_at timestamptz not null,
    constraint input_hours_pkey primary key (batch_id, fact_hour)
);
create index input_hours_kind on payrecon.input_hours (kind, fact_hour);

insert into payrecon.input_hours (batch_id, kind, fact_hour, row_count, newest_fact_at)
select told.batch_id, told.kind, date_trunc('hour', told.fact_at, 'UTC'), count(*), max(told.fact_at)
from (
    select batch_id, 'orders' as kind, updated_at as fact_at from payrecon.orders
    union all
    select batch_id, 'orders', updated_at from payrecon.order_versions
    union all
    select batch_id, 'apple', coalesce(signed_at, received_at)
    from payrecon.evidence
    where verdict = 'genuine'
) as told
group by told.batch_id, told.kind, date_trunc('hour', told.fact_at, 'UTC');

-- Settings that runs had, as one line per key; append-only.
create table payrecon.settings_texts (
    settings_sha256 text collate "C" not null,
    settings text collate "C" not null,
    constraint settings_texts_pkey primary key (settings_sha256)
);

-- Apps of which charges are known; append-only.
create table payrecon.charged_apps (
    bundle_id text collate "C" not null,
    constraint charged_apps_pkey primary key (bundle_id)
);
insert into payrecon.charged_apps (bundle_id)
select distinct bundle_id
from payrecon.charges;

-- Whether the run's clock lay ahead of the machine's: it moves no clock by which success is measured.
alter table payrecon.runs add column is_ahead boolean not null default false;
-- Who does the work, HOST:PID; empty where nobody said.
alter table payrecon.runs add column process text collate "C" not null default '';
