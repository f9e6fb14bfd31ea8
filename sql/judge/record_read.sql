-- purpose: marks items as verified by this reader; entirely genuine ones leave the work list.
-- parameters: as_of (timestamptz); reader_sha256 (text), items, proven (text[]): `true|HASH` for items received from Apple
--             itself
-- grain:   one row per item
with proven as (
    delete from unproven_evidence
    where unproven_evidence.is_from_apple::text || '|' || encode(unproven_evidence.sha256, 'hex') = any(:'proven'::text[])
        and unproven_evidence.sha256 in (select decode(substr(name, strpos(name, '|') + 1), 'hex') from unnest(:'proven'::text[]) as name)
)
update unproven_evidence
set
    reader_sha256 = :'reader_sha256'::text,
    held_until = case when held_until > :'as_of'::timestamptz then held_until end
where unproven_evidence.is_from_apple::text || '|' || encode(unproven_evidence.sha256, 'hex') = any(:'items'::text[])
    and not unproven_evidence.is_from_apple::text || '|' || encode(unproven_evidence.sha256, 'hex') = any(:'proven'::text[])
    and unproven_evidence.sha256 in (select decode(substr(name, strpos(name, '|') + 1), 'hex') from unnest(:'items'::text[]) as name);
