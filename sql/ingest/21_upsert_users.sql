-- purpose: records users; without an update instant the row that sorts last wins, so that order of arrival does not matter.
--          Every token that a row tells is kept beside, whichever row wins.
-- parameters: none
-- grain:   one row: how many rows were accepted
with best as (
    select distinct on (user_id)
        user_id, app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at
    from staged_user
    order by
        user_id, erased_at desc nulls last, created_at desc nulls last, app_account_token desc nulls last,
        home_storefront desc nulls last, is_tester desc
),
told_token as (
    select staged_user.app_account_token, staged_user.user_id, min(staged_user.batch_id) as batch_id
    from staged_user
    where staged_user.app_account_token is not null
    group by staged_user.app_account_token, staged_user.user_id
),
new_token as (
    insert into user_tokens (app_account_token, user_id, batch_id)
    select app_account_token, user_id, batch_id
    from told_token
    order by app_account_token, user_id
    on conflict do nothing
    returning app_account_token, user_id, batch_id
),
-- A token is known since the earliest clock that told it, whatever came in first.
redated as (
    update user_tokens
    set batch_id = told_token.batch_id
    from told_token
    inner join batches as earlier on earlier.batch_id = told_token.batch_id
    inner join batches as later on later.known_at > earlier.known_at
    where user_tokens.app_account_token = told_token.app_account_token
        and user_tokens.user_id = told_token.user_id
        and user_tokens.batch_id = later.batch_id
),
recorded as (
    insert into users as known (
        user_id, app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at
    )
    select user_id, app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at
    from best
    on conflict (user_id) do update
    set
        app_account_token = excluded.app_account_token,
        home_storefront = excluded.home_storefront,
        is_tester = excluded.is_tester,
        batch_id = excluded.batch_id,
        created_at = excluded.created_at,
        erased_at = excluded.erased_at
    where (
            coalesce(excluded.erased_at, '-infinity'), coalesce(excluded.created_at, '-infinity'),
            coalesce(excluded.app_account_token, ''), coalesce(excluded.home_storefront, ''), excluded.is_tester
        ) > (
            coalesce(known.erased_at, '-infinity'), coalesce(known.created_at, '-infinity'),
            coalesce(known.app_account_token, ''), coalesce(known.home_storefront, ''), known.is_tester
        )
    returning user_id, app_account_token, batch_id
),
-- The statement reads what was there before it: the version that is replaced.
kept as (
    insert into user_versions (
        user_id, app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at, replaced_by_batch_id
    )
    select
        users.user_id, users.app_account_token, users.home_storefront, users.is_tester, users.batch_id,
        users.created_at, users.erased_at, recorded.batch_id
    from recorded
    inner join users on users.user_id = recorded.user_id
    on conflict do nothing
),
accepted as (
    select user_id, app_account_token, batch_id from new_token
    union
    select user_id, app_account_token, batch_id from recorded
),
noted as (
    insert into changes (batch_id, kind, first_id, ids)
    select min(batch_id), 'user', min(user_id), array_agg(distinct user_id)
    from accepted
    having count(*) > 0
    on conflict (batch_id, kind, first_id) do update
    set ids = changes.ids || excluded.ids
)
select count(*) as accepted_count
from accepted;
