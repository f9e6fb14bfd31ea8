-- purpose: Returns the charge of each period that was reported without its line item. The reported rows stay as they are.
-- parameters: clock: latest knowledge; chains: original transaction ids, null for all
-- grain:   one row per charge id under which a period was reported without line item, and is known with one
create or replace function payrecon.charge_aliases_at(clock timestamptz, chains text[])
returns table (original_transaction_id text, stated_id text, charge_id text)
language sql stable parallel safe rows 10
as $$
    select candidate.original_transaction_id, candidate.stated_id, candidate.charge_id
    from payrecon.charge_candidates_at(clock, chains) as candidate
    where candidate.is_chosen
$$;
