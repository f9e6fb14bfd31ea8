-- purpose: records the decisions of one batch.
-- parameters: batch_id (text), case_ids, decision_ids (text[]), as_of (timestamptz)
-- grain:   one row per decision
insert into case_batches (batch_id, case_id, decision_id, at)
select :'batch_id'::text, made.case_id, made.decision_id, :'as_of'::timestamptz
from unnest(:'case_ids'::text[], :'decision_ids'::text[]) as made (case_id, decision_id);
