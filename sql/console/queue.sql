-- purpose: a page of what waits for a person, best first, as far as an account's inboxes reach; what is behind a place stays
--          behind it, whatever comes in.
-- parameters: as_of (timestamptz), inboxes (text[]): none for all; name, severity, app, owner (text): empty for any;
--             after (text): where the page before ended, its five keys parted by |; rows (bigint)
-- grain:   one row per case that is open, taken or waits for a second person
with waiting as (
    select
        state.*,
        concat_ws(
            '|', case state.status when 'waiting_approval' then '0' else '1' end, 9 - state.rank,
            coalesce(to_char(state.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '9'),
            to_char(state.opened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), state.case_id
        ) collate "C" as place
    from cases_at(:'as_of'::timestamptz) as state
    where state.status in ('open', 'taken', 'waiting_approval')
)
select
    waiting.case_id,
    waiting.status,
    coalesce((array['low', 'medium', 'high', 'critical'])[waiting.rank], '') as severity,
    waiting.subject_kind || ' ' || waiting.subject_id as subject,
    coalesce(waiting.names, '') as names,
    coalesce(money_text(waiting.amount_milliunits, waiting.currency), '') as amount,
    coalesce(rfc3339(waiting.due_at), '') as due_at,
    coalesce(waiting.taken_by, '') as taken_by,
    waiting.place
from waiting
where (:'after'::text = '' or waiting.place > :'after'::text collate "C")
    and (:'name'::text = '' or :'name'::text = any(string_to_array(waiting.names, ' ')))
    and (:'severity'::text = '' or :'severity'::text = (array['low', 'medium', 'high', 'critical'])[waiting.rank])
    and (:'app'::text = '' or :'app'::text = any(string_to_array(waiting.bundle_ids, ' ')))
    and (:'owner'::text = '' or :'owner'::text = waiting.taken_by)
    and (
        cardinality(:'inboxes'::text[]) = 0
        or exists (
            select 1
            from unnest(string_to_array(waiting.names, ' ')) as held (name)
            left join break_classes on break_classes.class = held.name
            where coalesce(break_classes.owner_team, 'fraud') = any(:'inboxes'::text[])
        )
    )
order by waiting.place
limit :'rows'::bigint;
