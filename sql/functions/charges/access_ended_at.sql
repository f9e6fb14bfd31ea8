-- purpose: the instant at which Apple ended the access that a charge gave; null while it stands. The refund of an item alone ends none.
create or replace function payrecon.access_ended_at(revoked_at timestamptz, revocation_type text) returns timestamptz
language sql immutable parallel safe
return case when revocation_type is distinct from 'ITEM_REFUND' then revoked_at end;
