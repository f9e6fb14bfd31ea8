-- purpose: replaces an erased user in parked input, in every encoding of inputs; the other bytes stay. Input that cannot name a
--          user, rows of other users, and uploads by other users stay as they are.
-- parameters: user_id, pseudonym, pattern (text): a regular expression that finds the user id as a word; byte_forms (text[]): the
--             id in the encodings of inputs, in hexadecimal digits; byte_patterns, byte_replacements (text[]): see
--             functions/audit/replaced_bytes.sql; other_rows (text[]): rows of other users
-- grain:   one row per row changed
update parked_items
set
    raw = renamed.raw,
    reason = renamed.reason,
    byte_count = parked_items.byte_count + length(renamed.raw) - length(parked_items.raw)
from (
    select
        parked_items.parked_id,
        replaced_bytes(parked_items.raw, :'byte_patterns'::text[], :'byte_replacements'::text[]) as raw,
        erased_phrase(parked_items.reason, :'pattern'::text, :'pseudonym'::text) as reason
    from parked_items
    where parked_items.kind in ('orders', 'users', 'apple')
        and parked_items.parked_id <> all(:'other_rows'::text[])
        -- Most rows do not contain the id at all.
        and (
            has_bytes(parked_items.raw, :'byte_forms'::text[])
            or strpos(parked_items.reason::text, trim('"' from to_jsonb(:'user_id'::text)::text)) > 0
        )
        -- Signatures and receipts of other users may contain it by chance.
        and not (parked_items.kind = 'apple' and names_others_alone(parked_items.raw, :'user_id'::text))
) as renamed
where parked_items.parked_id = renamed.parked_id
    and (parked_items.raw, parked_items.reason) <> (renamed.raw, renamed.reason);
