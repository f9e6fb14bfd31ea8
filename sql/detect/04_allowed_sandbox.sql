-- purpose: users that may hold live goods from unpaid purchases.
-- parameters: as_of (timestamptz); bundles, users, froms, tos (text[]): the settings' spans, one element each
-- grain:   one row per user ('': all), app ('': all) and span
insert into allowed_sandbox (bundle_id, user_id, allowed_from, allowed_to)
select bundle_id, user_id, allowed_from, allowed_to
from sandbox_holders(:'as_of'::timestamptz, :'bundles'::text[], :'users'::text[], :'froms'::text[], :'tos'::text[]);
