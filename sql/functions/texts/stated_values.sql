-- purpose: Returns the keys and values of a phrase, each after its place, such as `list.order=PO-1`. Parts of a list have one place.
create or replace function payrecon.stated_values(said jsonb, place text default '') returns text[]
language plpgsql immutable parallel safe
as $$
begin
    if jsonb_typeof(said) = 'array' then
        return array(
            select stated.value
            from jsonb_array_elements(said) as part (said)
            cross join lateral unnest(payrecon.stated_values(part.said, stated_values.place)) as stated (value)
        );
    end if;
    if jsonb_typeof(said) <> 'object' then
        return array[concat(place, '=', said #>> '{}')];
    end if;
    if jsonb_typeof(said -> 'with') = 'array' then
        return payrecon.stated_values(said -> 'with', place);
    end if;
    return concat(place, '=', said ->> 'key') || array(
        select stated.value
        from jsonb_each(said -> 'with') as part (name, said)
        cross join lateral unnest(payrecon.stated_values(part.said, concat(stated_values.place, '.', part.name))) as stated (value)
    );
end
$$;
