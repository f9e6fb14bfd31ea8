-- purpose: users that may hold live goods from unpaid purchases.
-- parameters: as_of (timestamptz); bundles, users, froms, tos (text[]): the settings' spans, parallel arrays
-- grain:   one row per user ('': all), app ('': all) and span
create temp table rule_tester on commit drop as
select bundle_id collate "C" as bundle_id, user_id collate "C" as user_id, allowed
from sandbox_holders(:'as_of'::timestamptz, :'bundles'::text[], :'users'::text[], :'froms'::text[], :'tos'::text[]);
