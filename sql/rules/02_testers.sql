-- purpose: users that may hold live goods from unpaid purchases.
-- parameters: as_of (timestamptz); bundles, users, froms, tos (text[]): the settings' spans, parallel arrays
-- grain:   one row per user ('': all), app ('': all) and span
insert into rule_tester (bundle_id, user_id, allowed)
select bundle_id, user_id, allowed
from sandbox_holders(:'as_of'::timestamptz, :'bundles'::text[], :'users'::text[], :'froms'::text[], :'tos'::text[]);
