-- purpose: what one rule finds on trial, beside what stands as its live signals.
-- parameters: rule (text), row_max (bigint)
-- grain:   one row per signal that is found, or stands and is not found any more
with standing as materialized (
    select open_signals.signal_id
    from open_signals
    where open_signals.rule = :'rule'::text
        and open_signals.state = 'live'
)
select
    rule_judged.signal_id,
    case_id_of(
        case when rule_judged.user_id is null then rule_judged.subject_kind else 'user' end,
        coalesce(rule_judged.user_id, rule_judged.subject_id)
    ) as case_id,
    true as is_found,
    exists (select 1 from standing where standing.signal_id = rule_judged.signal_id) as is_standing
from rule_judged
where rule_judged.state <> 'allowed'
union all
select standing.signal_id, '', false, true
from standing
where not exists (select 1 from rule_judged where rule_judged.signal_id = standing.signal_id)
limit :'row_max'::bigint;
