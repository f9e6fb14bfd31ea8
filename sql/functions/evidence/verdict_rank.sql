-- purpose: Returns the rank of a verdict among verdicts on the same bytes at one time, from different containers or readers;
--          the lowest counts.
create or replace function payrecon.verdict_rank(verdict text, reason jsonb) returns integer
language sql immutable parallel safe
return case verdict
    when 'genuine' then 0
    when 'foreign' then 1
    when 'forged' then 2
    when 'pending' then case reason ->> 'key' when 'word.unsigned' then 4 else 3 end
    else 5
end;
