-- purpose: replaces an erased user in parked input; the other bytes stay.
-- parameters: pseudonym, pattern (text): a regular expression that finds the user id as a word
-- grain:   one row per row changed
update parked_items
set
    raw = renamed.raw,
    reason = regexp_replace(parked_items.reason, :'pattern'::text, :'pseudonym'::text, 'g'),
    byte_count = parked_items.byte_count + length(renamed.raw) - length(parked_items.raw)
from (
    select
        parked_items.parked_id,
        decode(
            regexp_replace(encode(parked_items.raw, 'escape'), :'pattern'::text, :'pseudonym'::text, 'g'), 'escape'
        ) as raw
    from parked_items
    where encode(parked_items.raw, 'escape') ~ :'pattern'::text
        or parked_items.reason ~ :'pattern'::text
) as renamed
where parked_items.parked_id = renamed.parked_id;
