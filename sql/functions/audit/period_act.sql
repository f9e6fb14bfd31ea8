-- purpose: Returns the audit act of a step of a close or reopening.
create or replace function payrecon.period_act(kind text, step text) returns text
language sql immutable parallel safe
return case
    when step in ('rejected', 'withdrawn') then 'period_' || step
    when kind = 'close' then case step when 'proposed' then 'period_close_proposed' else 'period_closed' end
    else case step when 'proposed' then 'period_reopening_proposed' else 'period_reopened' end
end;
