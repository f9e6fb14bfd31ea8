-- purpose: Returns users as known at a clock.
create or replace function payrecon.users_at(clock timestamptz) returns setof payrecon.users
language sql stable parallel safe
as $$
    select users.*
    from payrecon.users
    where batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
    union all
    select user_id, app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at, null, consumption_consent, null
    from payrecon.user_versions
    where replaced_by_batch_id in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
        and batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
$$;
