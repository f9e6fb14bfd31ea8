-- purpose: Returns the bytes of an input row with pseudonyms in place of erased users. Each word and each cell or text is
--          compared with the tombstones. Bytes that name no erased user are returned unchanged.
create or replace function payrecon.without_erased(raw bytea) returns bytea
language plpgsql stable
as $$
declare
    kept text;
    hit record;
begin
    if not exists (select 1 from payrecon.erased_users) then
        return $1;
    end if;
    kept := encode($1, 'escape');
    for hit in
        select candidate.word, erased_users.pseudonym
        from (
            select found.words[1] as word from regexp_matches(kept, '[[:alnum:]_.@\\-]+', 'g') as found (words)
            union
            select btrim(found.words[1]) from regexp_matches(kept, '[^,;|"{}\[\]\t\n\r]+', 'g') as found (words)
        ) as candidate
        inner join payrecon.erased_users
            on erased_users.user_hash = payrecon.erasure_hash(payrecon.escaped_text(candidate.word))
        order by length(candidate.word) desc
    loop
        kept := regexp_replace(
            kept,
            '(?<![A-Za-z0-9_.-])' || regexp_replace(hit.word, '([^[:alnum:]])', '\\\1', 'g')
                || '(?![A-Za-z0-9_-]|\.[A-Za-z0-9])',
            hit.pseudonym, 'g'
        );
    end loop;
    return decode(kept, 'escape');
end
$$;
