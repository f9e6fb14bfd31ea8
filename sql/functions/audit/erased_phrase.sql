-- purpose: Returns a phrase with an erased user replaced by the pseudonym in its values. Keys stay.
-- parameters: pattern (text): a regular expression that finds the user id as a word
create or replace function payrecon.erased_phrase(said jsonb, pattern text, pseudonym text) returns jsonb
language plpgsql immutable parallel safe
as $$
begin
    case jsonb_typeof(said)
        when 'string' then
            return to_jsonb(regexp_replace(said #>> '{}', pattern, pseudonym, 'g'));
        when 'array' then
            return (
                select coalesce(jsonb_agg(payrecon.erased_phrase(part.said, pattern, pseudonym) order by part.place), '[]')
                from jsonb_array_elements(said) with ordinality as part (said, place)
            );
        when 'object' then
            return jsonb_build_object('key', said -> 'key', 'with', case jsonb_typeof(said -> 'with')
                when 'array' then payrecon.erased_phrase(said -> 'with', pattern, pseudonym)
                else (
                    select coalesce(jsonb_object_agg(part.name, payrecon.erased_phrase(part.said, pattern, pseudonym)), '{}')
                    from jsonb_each(said -> 'with') as part (name, said)
                )
            end);
        else
            return said;
    end case;
end
$$;
