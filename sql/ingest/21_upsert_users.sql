-- purpose: stores users. A reading at a later clock replaces an earlier one; at one clock a newer mapping replaces an older
--          one. Rows of one clock and mapping contribute the greatest value of each field. Erased users stay erased. The
--          result depends neither on the order of files nor of rows. Every token is stored, whichever row wins.
-- grain:   one row: how many rows were accepted
with best as materialized (
    select
        user_id, max(app_account_token) as app_account_token, max(home_storefront) as home_storefront,
        bool_or(is_tester) as is_tester, min(batch_id) as batch_id, max(created_at) as created_at, max(erased_at) as erased_at,
        -- A refusal counts among rows of one clock that disagree.
        bool_and(consumption_consent) as consumption_consent
    from staged_user
    group by user_id
),
reading as materialized (
    select reading_clock(batches.batch_id) as stated_at, batches.mapping_number, batches.known_at
    from batches
    where batches.batch_id = (select min(batch_id) from staged_user)
),
-- New and known values in one set. Avoids a join of working sets, whose plan may be forced to be slow.
stated_row as (
    select best.*, reading.stated_at, reading.mapping_number, true as is_new
    from best
    cross join reading
    union all
    select
        users.user_id, users.app_account_token, users.home_storefront, users.is_tester, users.batch_id, users.created_at,
        users.erased_at, users.consumption_consent, users.stated_at, users.mapping_number, false
    from best
    inner join users on users.user_id = best.user_id
),
-- The rows of the latest reading have place 1.
ranked as (
    select stated_row.*, rank() over (partition by user_id order by stated_at desc, mapping_number desc) as place
    from stated_row
),
combined as materialized (
    select
        user_id,
        max(app_account_token) filter (where place = 1) as app_account_token,
        max(home_storefront) filter (where place = 1) as home_storefront,
        bool_or(is_tester) filter (where place = 1) as is_tester,
        max(created_at) filter (where place = 1) as created_at,
        bool_and(consumption_consent) filter (where place = 1) as consumption_consent,
        max(erased_at) as erased_at, max(stated_at) as stated_at, max(mapping_number) filter (where place = 1) as mapping_number,
        max(app_account_token) filter (where is_new) as new_token, max(app_account_token) filter (where not is_new) as known_token,
        max(home_storefront) filter (where not is_new) as known_storefront,
        bool_or(is_tester) filter (where not is_new) as known_tester,
        bool_and(consumption_consent) filter (where not is_new) as known_consent,
        max(batch_id) filter (where is_new) as new_batch_id, max(batch_id) filter (where not is_new) as known_batch_id,
        max(created_at) filter (where not is_new) as known_created_at, max(erased_at) filter (where not is_new) as known_erased_at,
        max(stated_at) filter (where not is_new) as known_stated_at,
        max(mapping_number) filter (where not is_new) as known_mapping_number,
        bool_or(is_new and place = 1) as is_latest
    from ranked
    group by user_id
),
judged as materialized (
    select
        combined.*,
        combined.known_batch_id is null or (
            combined.app_account_token, combined.home_storefront, combined.is_tester, combined.created_at, combined.erased_at,
            combined.consumption_consent
        ) is distinct from (
            combined.known_token, combined.known_storefront, combined.known_tester, combined.known_created_at,
            combined.known_erased_at, combined.known_consent
        ) as is_changed,
        combined.is_latest or reading.known_at > known_batch.known_at as is_known_later
    from combined
    cross join reading
    left join batches as known_batch on known_batch.batch_id = combined.known_batch_id
),
stated_token as (
    select staged_user.app_account_token, staged_user.user_id, min(staged_user.batch_id) as batch_id
    from staged_user
    where staged_user.app_account_token is not null
    group by staged_user.app_account_token, staged_user.user_id
),
new_token as (
    insert into user_tokens (app_account_token, user_id, batch_id)
    select app_account_token, user_id, batch_id
    from stated_token
    order by app_account_token, user_id
    on conflict do nothing
    returning app_account_token, user_id, batch_id
),
-- A token is known since the earliest clock that reported it, in any order of arrival.
redated as (
    update user_tokens
    set batch_id = stated_token.batch_id
    from stated_token
    inner join batches as earlier on earlier.batch_id = stated_token.batch_id
    inner join batches as later on later.known_at > earlier.known_at
    where user_tokens.app_account_token = stated_token.app_account_token
        and user_tokens.user_id = stated_token.user_id
        and user_tokens.batch_id = later.batch_id
),
recorded as (
    insert into users (
        user_id, app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at, stated_at, consumption_consent,
        mapping_number
    )
    select
        user_id, app_account_token, home_storefront, is_tester,
        -- A repeat keeps the batch of its first reading. An addition from an earlier clock takes the later known of both batches, so
        -- that a past clock shows one version.
        case when is_changed and is_known_later then new_batch_id else known_batch_id end, created_at, erased_at, stated_at,
        consumption_consent, mapping_number
    from judged
    where is_changed
        or (stated_at, mapping_number) > (known_stated_at, known_mapping_number)
    on conflict (user_id) do update
    set
        app_account_token = excluded.app_account_token,
        home_storefront = excluded.home_storefront,
        is_tester = excluded.is_tester,
        batch_id = excluded.batch_id,
        created_at = excluded.created_at,
        erased_at = excluded.erased_at,
        stated_at = excluded.stated_at,
        consumption_consent = excluded.consumption_consent,
        mapping_number = excluded.mapping_number
),
kept as (
    insert into user_versions (
        user_id, app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at, consumption_consent,
        replaced_by_batch_id
    )
    select
        user_id, known_token, known_storefront, known_tester, known_batch_id, known_created_at, known_erased_at,
        known_consent, new_batch_id
    from judged
    where is_changed
        and known_batch_id is not null
    on conflict do nothing
),
accepted as (
    select user_id, app_account_token, batch_id from new_token
    union
    select user_id, new_token, new_batch_id from judged where is_changed
),
queued_change as (
    insert into changes (batch_id, kind, first_id, ids)
    select min(batch_id), 'user', min(user_id), array_agg(distinct user_id)
    from accepted
    having count(*) > 0
    on conflict (batch_id, kind, first_id) do update
    set ids = changes.ids || excluded.ids
)
select count(*) as accepted_count
from accepted;
