-- purpose: the reason why a period cannot be tied out: it is not in the calendar, or no report of it was read.
-- grain:   one row: the reason, or null
select case
    when not exists (select 1 from tie_run) then 'no such fiscal period is in the calendar'
    when not exists (select 1 from tie_file inner join tie_run on tie_run.fiscal_period = tie_file.fiscal_period)
        then case
            when (select fiscal_period from tie_run) like 'D%' then 'neither a SALES nor a SUBSCRIBER report of the day was read'
            else 'neither a FINANCE_DETAIL nor a FINANCIAL report of it was read'
        end
end as reason;
