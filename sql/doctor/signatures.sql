-- purpose: how many items read in the week before a clock have a proven signature, and how many a refuted one.
-- parameters: as_of (timestamptz)
-- grain:   one row
select
    (
        select coalesce(sum(input_hours.row_count), 0)
        from input_hours
        inner join batches on batches.batch_id = input_hours.batch_id
        where input_hours.kind = 'apple'
            and input_hours.fact_hour < 'infinity'
            and batches.known_at > :'as_of'::timestamptz - interval '7 days'
    )::bigint as proven_count,
    (
        select count(*)
        from judged_evidence
        inner join batches on batches.batch_id = judged_evidence.batch_id
        where judged_evidence.first_verdict <> 'genuine'
            and judged_evidence.verdict = 'forged'
            and batches.known_at > :'as_of'::timestamptz - interval '7 days'
    ) + (
        select coalesce(sum(item_count), 0)
        from quarantine_counts
        where last_at > :'as_of'::timestamptz - interval '7 days'
    )::bigint as refuted_count;
