-- purpose: the acts of reviewers on a case, newest first. Returns parts; the caller formats them.
-- parameters: case_id (text), as_of (timestamptz), rows (bigint)
-- grain:   one row per act; parts that an act lacks are null
select
    rfc3339(done.at) as at,
    case
        when done.kind = 'undo' then phrase('timeline.undo_of', jsonb_build_object('act', said.what))
        when done.kind = 'mark' and done.step = 'ended' then phrase('timeline.ended', jsonb_build_object('what', said.what))
        else said.what
    end as act,
    done.person, done.account, done.outcome, done.reason, done.assignee, done.order_id, done.charge_id,
    array_to_string(done.break_ids, ' ') as break_ids, rfc3339(done.until) as until, done.apple
from case_acts as done
cross join lateral (
    select case
        when done.kind in ('decision', 'undo')
            then phrase('said.act', jsonb_build_array(phrase('word.' || done.action), phrase('word.' || done.step)))
        when done.action = 'snooze' then phrase('timeline.set_aside')
        else phrase('word.' || done.action)
    end as what
) as said
where done.case_id = :'case_id'::text
    and done.at <= :'as_of'::timestamptz
order by done.at desc, done.turn desc, act
limit :'rows'::bigint;
