-- purpose: what a run reads has an end: the last batch that was opened before it began to decide. What is read of an input
--          after that stands in a batch of its own, known from after the run's clock.

-- bound_batch_id: the last batch that the run may read, named before its transaction begins.
-- begun_after_batch_id: the last batch when the run began.
alter table payrecon.runs add column bound_batch_id bigint;
alter table payrecon.runs add column begun_after_batch_id bigint;
update payrecon.runs set bound_batch_id = last_batch_id where last_batch_id is not null;
create index runs_bound on payrecon.runs (bound_batch_id) where bound_batch_id is not null;

-- first_batch_id: the batch whose input this one goes on with; null where it begins one.
alter table payrecon.batches add column first_batch_id bigint;
create index batches_first on payrecon.batches (first_batch_id) where first_batch_id is not null;
create index batches_open on payrecon.batches (batch_id) where state = 'open';

-- Which versions a file replaced.
create index order_versions_replaced on payrecon.order_versions (replaced_by_batch_id);

-- of_batch_id: of a note on an input that was refused, or whose reading had not ended, the input's own batch.
alter table payrecon.cut_inputs add column of_batch_id bigint;
