-- purpose: Returns the bytes of an input row with pseudonyms in place of erased users. Bytes that name no erased user are
--          returned unchanged.
create or replace function payrecon.without_erased(raw bytea) returns bytea
language plpgsql stable
as $$
begin
    if not exists (select 1 from payrecon.erased_users) then
        return $1;
    end if;
    return (
        select payrecon.replaced_bytes(
            $1, coalesce(array_agg(payrecon.word_pattern(found.word)), '{}'), coalesce(array_agg(found.pseudonym), '{}')
        )
        from payrecon.erased_words(encode($1, 'escape')) as found
    );
end
$$;

-- purpose: Returns a phrase with pseudonyms in place of erased users in its values.
create or replace function payrecon.phrase_without_erased(said jsonb) returns jsonb
language plpgsql stable
as $$
declare
    hit record;
begin
    if not exists (select 1 from payrecon.erased_users) then
        return said;
    end if;
    for hit in
        select payrecon.escaped_text(found.word) as word, found.pseudonym
        from payrecon.erased_words(encode(convert_to(payrecon.english(said), 'UTF8'), 'escape')) as found
    loop
        said := payrecon.erased_phrase(said, payrecon.word_pattern(hit.word), hit.pseudonym);
    end loop;
    return said;
end
$$;
