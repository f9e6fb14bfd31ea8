-- purpose: the acts of reviewers on a case: assignments, notes, decisions and undos, newest first. Returns parts; the
--          caller formats them.
-- parameters: case_id (text), as_of (timestamptz), rows (bigint)
-- grain:   one row per act; parts that an act lacks are null
select
    rfc3339(done.at) as at, done.act, done.person, done.account, done.outcome, done.reason, done.assignee, done.order_id,
    done.charge_id, done.break_ids, rfc3339(done.until) as until, done.apple
from (
    select
        case_events.at, 1 as place, phrase('word.' || case_events.action) as act, case_events.person, case_events.account,
        null as outcome, case_events.reason, null as assignee, null as order_id, null as charge_id, null as break_ids,
        case_events.lease_until as until, null as apple
    from case_events
    where case_events.case_id = :'case_id'::text
    union all
    select
        case_notes.at, 2, phrase('word.note'), case_notes.person, case_notes.account, null, case_notes.note, null, null, null, null,
        null, null
    from case_notes
    where case_notes.case_id = :'case_id'::text
    union all
    select
        case_marks.at, 2,
        case when case_marks.is_set then mark.what else phrase('timeline.ended', jsonb_build_object('what', mark.what)) end,
        case_marks.person, case_marks.account, null, case_marks.reason, case_marks.assignee, null, null, null,
        case_marks.returns_at, null
    from case_marks
    cross join lateral (
        select phrase(case case_marks.topic when 'snooze' then 'timeline.set_aside' else 'word.' || case_marks.topic end) as what
    ) as mark
    where case_marks.case_id = :'case_id'::text
    union all
    select
        case_decisions.at, 3, phrase('sentence.' || case_decisions.action || ' ' || case_decisions.step),
        case when case_decisions.step = 'proposed' then case_decisions.decided_by
        else coalesce(case_decisions.approved_by, case_decisions.decided_by) end,
        case_decisions.account, case_decisions.outcome, case_decisions.reason, null, case_decisions.order_id,
        case_decisions.charge_id, array_to_string(case_decisions.break_ids, ' '), case_decisions.holds_until,
        case_decisions.apple
    from case_decisions
    where case_decisions.case_id = :'case_id'::text
    union all
    select
        case_undos.at, 4,
        phrase('timeline.undo_of', jsonb_build_object('act', phrase('sentence.' || case_undos.action || ' ' || case_undos.step))),
        coalesce(case_undos.approved_by, case_undos.asked_by), case_undos.account, null, case_undos.reason,
        null, null, null, null, null, null
    from case_undos
    where case_undos.case_id = :'case_id'::text
) as done
where done.at <= :'as_of'::timestamptz
order by done.at desc, done.place desc, done.act
limit :'rows'::bigint;
