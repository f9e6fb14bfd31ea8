-- purpose: Returns the detail of a finding, a phrase, with the pseudonym for an erased user. Only values that are user ids or free
--          text change, not an equal order id or number. Without a user id, every value is free text.
-- parameters: pattern (text): a regular expression that finds the user id as a word
create or replace function payrecon.erased_detail(detail jsonb, user_id text, pattern text, pseudonym text) returns jsonb
language plpgsql immutable parallel safe
as $$
begin
    case jsonb_typeof(detail)
        when 'string' then
            return case when user_id is null then to_jsonb(regexp_replace(detail #>> '{}', pattern, pseudonym, 'g')) else detail end;
        when 'array' then
            return (
                select coalesce(jsonb_agg(payrecon.erased_detail(part.value, user_id, pattern, pseudonym) order by part.place), '[]')
                from jsonb_array_elements(detail) with ordinality as part (value, place)
            );
        when 'object' then
            if jsonb_typeof(detail -> 'with') = 'array' then
                return jsonb_set(detail, '{with}', payrecon.erased_detail(detail -> 'with', user_id, pattern, pseudonym));
            end if;
            return jsonb_build_object('key', detail -> 'key', 'with', (
                select coalesce(jsonb_object_agg(part.name, case
                    when user_id is null or jsonb_typeof(part.value) <> 'string'
                        then payrecon.erased_detail(part.value, user_id, pattern, pseudonym)
                    when part.name in ('user', 'operator') or (part.name = 'id' and detail ->> 'key' = 'said.user')
                        then case part.value #>> '{}' when user_id then to_jsonb(pseudonym) else part.value end
                    when part.name = 'reason' then to_jsonb(regexp_replace(part.value #>> '{}', pattern, pseudonym, 'g'))
                    else part.value
                end), '{}')
                from jsonb_each(detail -> 'with') as part (name, value)
            ));
        else
            return detail;
    end case;
end
$$;

-- purpose: Returns the inputs of a signal, a JSON object, with the pseudonym for an erased user. Only values that are user ids or
--          free text change; order and form of the others stay.
-- parameters: pattern (text): a regular expression that finds the user id as a word
create or replace function payrecon.erased_inputs(inputs text, user_id text, pattern text, pseudonym text) returns text
language sql immutable parallel safe
return (
    select '{' || string_agg(to_json(part.name)::text || ' : ' || case
        when part.name in ('claimant', 'holder', 'token_owner', 'user', 'operator') and part.value #>> '{}' = $2
            then to_json($4)::text
        when part.name = 'user_ids' then (
            select to_json(coalesce(array_agg(member.name order by member.name), '{}'))::text
            from (
                select case listed.name when $2 then $4 else listed.name end collate "C" as name
                from json_array_elements_text(part.value) as listed (name)
            ) as member
        )
        when part.name in ('reason', 'detail') and json_typeof(part.value) = 'string'
            then to_json(regexp_replace(part.value #>> '{}', $3, $4, 'g'))::text
        else part.value::text
    end, ', ' order by part.place) || '}'
    from json_each($1::json) with ordinality as part (name, value, place)
);

-- purpose: Returns the ids of the breaks and signals of an erased user's case. The id of a signal is a hash of its subject.
create or replace function payrecon.erased_items(item_ids text[], user_id text, pseudonym text) returns text[]
language sql stable parallel safe
return array(
    select coalesce(payrecon.signal_hash(rules.rule, 'user', $3), item.id)
    from unnest($1) with ordinality as item (id, place)
    left join payrecon.rules on payrecon.signal_hash(rules.rule, 'user', $2) = item.id
    order by item.place
);
