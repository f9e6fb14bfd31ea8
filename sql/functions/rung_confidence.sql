-- purpose: how sure a match of a rung is: `decided` by two people, `exact` by an id of the charge or its token, `heuristic` where
--          nothing but what fits tells, else `derived`.
create or replace function payrecon.rung_confidence(rung text) returns text
language sql immutable parallel safe
return case
    when rung = 'M0' then 'decided'
    when rung in ('M1', 'M2') then 'exact'
    when rung = 'M6' then 'heuristic'
    else 'derived'
end;
