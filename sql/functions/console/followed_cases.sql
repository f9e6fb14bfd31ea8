-- purpose: Returns the cases of which an account is notified, each with its newest act. The account follows them, is their
--          assignee, or is mentioned in their notes. Or another account proposed or concluded the undo of its decision, or
--          concluded the undo that it proposed.
-- grain:   one row per case
create or replace function payrecon.followed_cases(account text, clock timestamptz, row_limit bigint) returns table (
    case_id text, why text, at timestamptz, act text, by_account text
)
language sql stable parallel safe
as $$
    with followed as materialized (
        select
            found.case_id, string_agg(distinct found.why, ' ') as why,
            max(found.at) filter (where found.why = 'following') as followed_at
        from (
            select newest.case_id, 'following' as why, newest.at
            from (
                select distinct on (case_marks.case_id) case_marks.case_id, case_marks.at, case_marks.is_set
                from payrecon.case_marks
                where case_marks.topic = 'following'
                    and case_marks.account = $1
                    and case_marks.at <= clock
                order by case_marks.case_id asc, case_marks.number desc
            ) as newest
            where newest.is_set
            union all
            select kept.case_id, 'assigned', kept.opened_at from payrecon.console_cases as kept where kept.assignee = $1
            union all
            select case_notes.case_id, 'mentioned', case_notes.at
            from payrecon.case_notes
            where case_notes.mentions <> '{}'
                and case_notes.mentions @> array[$1 collate "C"]
                and case_notes.at <= clock
            union all
            select case_undos.case_id, 'undo', case_undos.at
            from payrecon.case_undos
            where case_undos.account <> $1
                and case_undos.at <= clock
                and (
                    case_undos.proposal_account = $1
                    or exists (
                        select 1
                        from payrecon.case_decisions
                        where case_decisions.case_id = case_undos.case_id
                            and case_decisions.decision_id = case_undos.decision_id
                            and case_decisions.step in ('proposed', 'effective')
                            and case_decisions.account = $1
                    )
                )
        ) as found
        group by found.case_id
        order by max(found.at) desc, found.case_id
        limit row_limit
    ),
    done as (
        select
            act.case_id, act.at,
            case act.kind
                when 'decision' then act.action || ' ' || act.step
                when 'undo' then 'undo ' || act.step
                else act.action
            end as act,
            act.account
        from followed
        inner join payrecon.case_acts as act on act.case_id = followed.case_id
        where act.kind <> 'mark'
            or act.action = 'assignment'
        union all
        select followed.case_id, followed.followed_at, 'following', $1
        from followed
        where followed.followed_at is not null
    )
    select distinct on (done.case_id) done.case_id, followed.why, done.at, done.act, done.account
    from done
    inner join followed on followed.case_id = done.case_id
    where done.at <= clock
    order by done.case_id asc, done.at desc, done.act asc
$$;
