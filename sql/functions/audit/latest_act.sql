-- purpose: Returns the latest clock at which a reviewer acted on some cases; null if nobody did.
create or replace function payrecon.latest_act(case_ids text[]) returns timestamptz
language sql stable parallel safe
return (
    select max(act.at)
    from (
        select case_decisions.at
        from payrecon.case_decisions
        where case_decisions.case_id = any(latest_act.case_ids collate "C")
        union all
        select case_undos.at from payrecon.case_undos where case_undos.case_id = any(latest_act.case_ids collate "C")
        union all
        select case_events.at from payrecon.case_events where case_events.case_id = any(latest_act.case_ids collate "C")
        union all
        select case_marks.at from payrecon.case_marks where case_marks.case_id = any(latest_act.case_ids collate "C")
    ) as act
);
