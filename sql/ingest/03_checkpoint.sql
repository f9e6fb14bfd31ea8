-- purpose: advances the batch's checkpoint and counts, in the transaction of the counted rows.
-- parameters: batch_id, items, input, accepted, repeated, ignored, parked (bigint), state (text), newest_fact_at (timestamptz)
-- grain:   one batch
update batches
set
    items_done = items_done + :'items'::bigint,
    input_count = input_count + :'input'::bigint,
    accepted_count = accepted_count + :'accepted'::bigint,
    repeated_count = repeated_count + :'repeated'::bigint,
    ignored_count = ignored_count + :'ignored'::bigint,
    parked_count = parked_count + :'parked'::bigint,
    state = :'state'::text,
    newest_fact_at = greatest(newest_fact_at, :'newest_fact_at'::timestamptz)
where batch_id = :'batch_id'::bigint
    and state = 'open';
