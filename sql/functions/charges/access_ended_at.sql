-- purpose: Returns the instant at which Apple ended a charge's access; null while it lasts. The refund of a single item does
--          not end access.
create or replace function payrecon.access_ended_at(revoked_at timestamptz, revocation_type text) returns timestamptz
language sql immutable parallel safe
return case when revocation_type is distinct from 'ITEM_REFUND' then revoked_at end;
