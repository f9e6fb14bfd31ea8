-- purpose: cases that are gathered anew with a detection though it says nothing of them: those about a pair, as what it still finds
--          waits again; and, so that nothing stays that was gathered beside what people did, all of which they said something since
--          the detection before, and all that wait for a second person.
-- parameters: as_of (timestamptz)
-- grain:   one row per case
with since as materialized (
    select
        coalesce(console_gathered.detected_at, '-infinity') as at,
        -- Where all were listed, each is gathered anyway.
        coalesce(console_gathered.detected_at, '-infinity') > '-infinity' as is_known
    from console_gathered
)
select case_decisions.case_id
from since
inner join case_decisions on case_decisions.at >= since.at
where case_decisions.at <= :'as_of'::timestamptz
    and (
        since.is_known
        or (case_decisions.step = 'effective' and case_decisions.action in ('forced_match', 'unmatch', 'benign_duplicate'))
    )
union
select case_undos.case_id
from since
inner join case_undos on case_undos.at >= since.at
where since.is_known
    and case_undos.at <= :'as_of'::timestamptz
union
select kept.case_id
from since
cross join console_cases as kept
where since.is_known
    and kept.status = 'waiting_approval';
