-- purpose: Returns a phrase in English. The texts are those of the English catalogue with keys such as `detail.*`; the program adds
--          them as the function `english_texts`. A key without a text, such as one of an older version, is returned as it is.
create or replace function payrecon.english(said jsonb) returns text
language plpgsql immutable strict parallel safe
as $$
declare
    named text := said ->> 'key';
    -- Texts and names of placeholders by turns.
    pieces text[];
begin
    if jsonb_typeof(said) = 'array' then
        said := jsonb_build_object('with', said);
        named := 'said.also';
    end if;
    if named is null then
        return said #>> '{}';
    end if;
    if starts_with(named, 'word.') then
        return substr(named, 6);
    end if;
    pieces := string_to_array(translate(coalesce(payrecon.english_texts() ->> named, named), '}', '{'), '{');
    if jsonb_typeof(said -> 'with') = 'array' then
        -- The text of a list joins a first part and the next one.
        return (
            select coalesce(string_agg(payrecon.english(part.said), pieces[3] order by part.place), '')
            from jsonb_array_elements(said -> 'with') with ordinality as part (said, place)
        );
    end if;
    for place in 2 .. cardinality(pieces) - 1 by 2 loop
        pieces[place] := coalesce(payrecon.english(said -> 'with' -> pieces[place]), '{' || pieces[place] || '}');
    end loop;
    return array_to_string(pieces, '');
end
$$;
