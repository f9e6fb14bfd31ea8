-- purpose: who may hold live goods from purchases that nobody paid: testers and review windows of the settings, of the
--          users file and of the list.
-- parameters: bundles, users, froms, tos (text[]): the settings' spans, one element each
-- grain:   one row per user (or '': everybody), app (or '': every app) and span
insert into rule_tester (bundle_id, user_id, allowed_from, allowed_to)
select span.bundle_id, span.user_id, span.allowed_from::timestamptz, span.allowed_to::timestamptz
from unnest(:'bundles'::text[], :'users'::text[], :'froms'::text[], :'tos'::text[])
    as span (bundle_id, user_id, allowed_from, allowed_to)
union
select '', users.user_id, '-infinity', 'infinity'
from users
where users.is_tester
union
select '', rule_list.subject_id, rule_list.valid_from, rule_list.valid_to
from rule_list
where rule_list.list = 'tester';
