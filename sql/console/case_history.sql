-- purpose: the acts of reviewers on a case, newest first, with the notes on cases that its breaks left and that have no item
--          any more. Returns parts; the caller formats them.
-- parameters: case_id (text), as_of (timestamptz), rows (bigint)
-- grain:   one row per act; parts that an act lacks are null
with left_case as (
    select moved.case_id
    from (
        select distinct case_id_of_break(event.user_id, event.order_id, event.charge_id, event.break_id) as case_id
        from console_cases as kept
        cross join lateral unnest(kept.item_ids) as item (item_id)
        inner join break_events as event on event.break_id = item.item_id
        where kept.case_id = :'case_id'::text
            and event.as_of <= :'as_of'::timestamptz
    ) as moved
    left join console_cases as other on other.case_id = moved.case_id
    where coalesce(other.item_ids, '{}') = '{}'
)
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
where done.case_id = any(array(select left_case.case_id from left_case union all select :'case_id'::text))
    and (done.case_id = :'case_id'::text or done.kind = 'note')
    and done.at <= :'as_of'::timestamptz
order by done.at desc, done.turn desc, act
limit :'rows'::bigint;
