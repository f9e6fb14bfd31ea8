-- purpose: Returns users that may have live goods from unpaid purchases at a clock, with the source: testers and review
--          windows of the settings (parallel arrays), testers of the users file, or the tester list. An empty user_id
--          covers all users, an empty bundle_id every app. A holder is valid at the instant of the purchase, or of the
--          order if it has no charge.
create or replace function payrecon.sandbox_holders(
    clock timestamptz, bundles text[], user_ids text[], froms text[], tos text[]
) returns table (bundle_id text, user_id text, allowed tstzrange, allowed_by text)
language plpgsql stable
as $function$
begin
    return query execute $$
        select span.bundle_id, span.user_id, tstzrange(span.begins_at::timestamptz, span.ends_at::timestamptz), 'settings'
        from unnest($2, $3, $4, $5) as span (bundle_id, user_id, begins_at, ends_at)
        union
        select '', users.user_id, tstzrange('-infinity', 'infinity'), 'users'
        from users
        where users.is_tester
        union
        select '', listed.subject_id, tstzrange(listed.covers_from, listed.covers_to), 'list'
        from payrecon.list_spans_at($1, 'tester') as listed
    $$ using clock, bundles, user_ids, froms, tos;
end
$function$;
