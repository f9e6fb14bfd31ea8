-- purpose: cases of which an account is notified, with their latest act, limited to its inboxes.
-- parameters: account (text), inboxes (text[]): none for all; as_of (timestamptz), rows (bigint)
-- grain:   one row per case
select
    kept.case_id, kept.shown_status as status, kept.about, kept.subject, kept.at_stake, newest.why,
    case
        when newest.act = 'following' then phrase('timeline.began_to_follow')
        else phrase('timeline.done_by', jsonb_build_object(
            'act', phrase('said.act', to_jsonb(array(
                select phrase('word.' || word.text) from string_to_table(newest.act, ' ') as word (text)
            ))),
            'account', newest.by_account
        ))
    end as done_last,
    rfc3339(newest.at) as at
from followed_cases(:'account'::text, :'as_of'::timestamptz, :'rows'::bigint) as newest
inner join case_summaries as kept on kept.case_id = newest.case_id
where cardinality(:'inboxes'::text[]) = 0
    or kept.teams && :'inboxes'::text[]
order by newest.at desc, kept.case_id
limit :'rows'::bigint;
