-- purpose: members of listed households, and from when until when what they buy or claim is covered.
-- parameters: as_of (timestamptz)
-- grain:   one row per entry that has begun
create temp table rule_household on commit drop as
select subject_id as user_id, family, covers_from, covers_to
from list_spans_at(:'as_of'::timestamptz, 'family')
where covers_from <= :'as_of'::timestamptz;
