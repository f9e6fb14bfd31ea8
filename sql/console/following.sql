-- purpose: cases of which an account is notified, with their latest act, limited to its inboxes. The account follows them, is
--          their assignee, or is mentioned in their notes. Or another account proposed or concluded the undo of its decision, or
--          concluded the undo that it proposed.
-- parameters: account (text), inboxes (text[]): none for all; as_of (timestamptz), rows (bigint)
-- grain:   one row per case
with followed as materialized (
    select found.case_id, string_agg(distinct found.why, ' ') as why, max(found.at) filter (where found.why = 'following') as followed_at
    from (
        select newest.case_id, 'following' as why, newest.at
        from (
            select distinct on (case_marks.case_id) case_marks.case_id, case_marks.at, case_marks.is_set
            from case_marks
            where case_marks.topic = 'following'
                and case_marks.account = :'account'::text
                and case_marks.at <= :'as_of'::timestamptz
            order by case_marks.case_id asc, case_marks.number desc
        ) as newest
        where newest.is_set
        union all
        select kept.case_id, 'assigned', kept.opened_at from console_cases as kept where kept.assignee = :'account'::text
        union all
        select case_notes.case_id, 'mentioned', case_notes.at
        from case_notes
        where case_notes.mentions <> '{}'
            and case_notes.mentions @> array[:'account'::text collate "C"]
            and case_notes.at <= :'as_of'::timestamptz
        union all
        select case_undos.case_id, 'undo', case_undos.at
        from case_undos
        where case_undos.account <> :'account'::text
            and case_undos.at <= :'as_of'::timestamptz
            and (
                case_undos.proposal_account = :'account'::text
                or exists (
                    select 1
                    from case_decisions
                    where case_decisions.case_id = case_undos.case_id
                        and case_decisions.decision_id = case_undos.decision_id
                        and case_decisions.step in ('proposed', 'effective')
                        and case_decisions.account = :'account'::text
                )
            )
    ) as found
    group by found.case_id
    order by max(found.at) desc, found.case_id
    limit :'rows'::bigint
),
done as (
    select case_events.case_id, case_events.at, case_events.action || ' by ' || case_events.account as what
    from followed
    inner join case_events on case_events.case_id = followed.case_id
    union all
    select case_decisions.case_id, case_decisions.at,
        case_decisions.action || ' ' || case_decisions.step || ' by ' || case_decisions.account
    from followed
    inner join case_decisions on case_decisions.case_id = followed.case_id
    union all
    select case_undos.case_id, case_undos.at, 'undo ' || case_undos.step || ' by ' || case_undos.account
    from followed
    inner join case_undos on case_undos.case_id = followed.case_id
    union all
    select case_notes.case_id, case_notes.at, 'note by ' || case_notes.account
    from followed
    inner join case_notes on case_notes.case_id = followed.case_id
    union all
    select case_marks.case_id, case_marks.at, case_marks.topic || ' by ' || case_marks.account
    from followed
    inner join case_marks on case_marks.case_id = followed.case_id
    where case_marks.topic = 'assignment'
    union all
    select followed.case_id, followed.followed_at, 'you began to follow it'
    from followed
    where followed.followed_at is not null
),
newest as materialized (
    select distinct on (done.case_id) done.case_id, done.at, done.what, followed.why
    from done
    inner join followed on followed.case_id = done.case_id
    where done.at <= :'as_of'::timestamptz
    order by done.case_id asc, done.at desc, done.what asc
)
select
    kept.case_id, case when kept.proposed_action = 'undo' then 'undo_proposed' else kept.status end as status,
    array_to_string(kept.names, ' ') as about, kept.subject_kind || ' ' || kept.subject_id as subject,
    money_text(kept.amount_milliunits, kept.currency) as at_stake, newest.why, newest.what as done_last, rfc3339(newest.at) as at
from newest
inner join console_cases as kept on kept.case_id = newest.case_id
where cardinality(:'inboxes'::text[]) = 0
    or kept.teams && :'inboxes'::text[]
order by newest.at desc, kept.case_id
limit :'rows'::bigint;
