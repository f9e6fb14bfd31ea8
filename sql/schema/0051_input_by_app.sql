-- purpose: what each hour of business time was told of, app by app, so that one that falls silent beside others is named; and hours
--          that lie ahead of every clock, which were never told.
alter table payrecon.input_hours add column bundle_id text collate "C" not null default '';
-- What was counted before is of no app: it tells that input came, and of nobody's that it stayed away.
alter table payrecon.input_hours alter column bundle_id drop default;
alter table payrecon.input_hours drop constraint input_hours_pkey;
alter table payrecon.input_hours add constraint input_hours_pkey primary key (batch_id, fact_hour, bundle_id);

delete from payrecon.input_hours
using payrecon.batches
where batches.batch_id = input_hours.batch_id
    and input_hours.fact_hour > greatest(batches.known_at, clock_timestamp());
