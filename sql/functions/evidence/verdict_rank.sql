-- purpose: how much a verdict says of bytes that were judged in more than one way at one time, with what they came in and
--          by whom: the lowest counts.
create or replace function payrecon.verdict_rank(verdict text, reason text) returns integer
language sql immutable parallel safe
return case verdict
    when 'genuine' then 0
    when 'foreign' then 1
    when 'forged' then 2
    when 'pending' then case reason when 'unsigned' then 4 else 3 end
    else 5
end;
