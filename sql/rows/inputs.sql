-- purpose: the batches behind each figure of the inputs: what each counted.
-- parameters: kind, file_name, sha256, figure (text: column of the inputs; empty for all of them, - for what has no content of its own);
--          rows/ask.sql says the clock
-- grain:   one row per figure and batch; the values of a figure add up to it
select
    told.kind, told.file_name, coalesce(nullif(told.content_sha256, ''), '-') as sha256, figure.figure, told.batch_id, told.source,
    rfc3339(told.known_at) as known_at, rfc3339(told.newest_fact_at) as newest_fact_at, figure.value::text as value
from input_rows() as told
cross join lateral (values
    ('input_count', told.input_count), ('accepted_count', told.accepted_count), ('repeated_count', told.repeated_count),
    ('ignored_count', told.ignored_count), ('parked_count', told.parked_count)
) as figure (figure, value)
where :'kind'::text in ('', told.kind)
    and :'file_name'::text in ('', coalesce(nullif(told.file_name, ''), '-'))
    and :'sha256'::text in ('', coalesce(nullif(told.content_sha256, ''), '-'))
    and :'figure'::text in ('', figure.figure)
    and figure.value <> 0
order by told.kind, told.file_name collate "C", told.content_sha256, figure.figure, told.batch_id;
