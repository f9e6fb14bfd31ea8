-- purpose: cases of which an account is notified, with their latest act, limited to its inboxes.
-- parameters: account (text), inboxes (text[]): none for all; as_of (timestamptz), rows (bigint)
-- grain:   one row per case
select
    kept.case_id, case when kept.proposed_action = 'undo' then 'undo_proposed' else kept.status end as status,
    array_to_string(kept.names, ' ') as about, kept.subject_kind || ' ' || kept.subject_id as subject,
    money_text(kept.amount_milliunits, kept.currency) as at_stake, newest.why,
    case
        when newest.act = 'following' then phrase('timeline.began_to_follow')
        else phrase('timeline.done_by', jsonb_build_object('act', phrase('sentence.' || newest.act), 'account', newest.by_account))
    end as done_last,
    rfc3339(newest.at) as at
from followed_cases(:'account'::text, :'as_of'::timestamptz, :'rows'::bigint) as newest
inner join console_cases as kept on kept.case_id = newest.case_id
where cardinality(:'inboxes'::text[]) = 0
    or kept.teams && :'inboxes'::text[]
order by newest.at desc, kept.case_id
limit :'rows'::bigint;
