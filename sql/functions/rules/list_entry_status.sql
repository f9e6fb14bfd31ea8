-- purpose: Returns the status of a list entry at a clock; removed_at is null if it was not removed before the clock.
create or replace function payrecon.list_entry_status(
    valid_from timestamptz, valid_to timestamptz, removed_at timestamptz, clock timestamptz
) returns text
language sql immutable parallel safe
return case
    when removed_at is not null then 'removed'
    when valid_to <= clock then 'expired'
    when valid_from > clock then 'waiting'
    else 'active'
end;
