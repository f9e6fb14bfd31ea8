-- purpose: records users; without an update instant the row that sorts last wins, so that order of arrival does not matter.
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
    returning user_id, batch_id
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
noted as (
    insert into changes (batch_id, kind, first_id, ids)
    select min(batch_id), 'user', min(user_id), array_agg(user_id)
    from recorded
    having count(*) > 0
    on conflict (batch_id, kind, first_id) do update
    set ids = changes.ids || excluded.ids
)
select count(*) as accepted_count
from recorded;
