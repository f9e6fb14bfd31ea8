-- purpose: members of listed households, with the span in which their purchases and claims are covered.
-- parameters: as_of (timestamptz)
-- grain:   one row per entry that has started
create temp table rule_household on commit drop as
select subject_id as user_id, family, tstzrange(covers_from, covers_to) as covers
from list_spans_at(:'as_of'::timestamptz, 'family')
where covers_from <= :'as_of'::timestamptz;
