-- purpose: Returns the erased users that a text in escape format names, longest first. Each word and each cell or text is compared
--          with the tombstones.
create or replace function payrecon.erased_words(escaped text) returns table (word text, pseudonym text)
language sql stable
as $$
    select candidate.word, erased_users.pseudonym
    from (
        select found.words[1] as word from regexp_matches($1, '[[:alnum:]_.@\\-]+', 'g') as found (words)
        union
        select btrim(found.words[1]) from regexp_matches($1, '[^,;|"{}\[\]\t\n\r]+', 'g') as found (words)
    ) as candidate
    inner join payrecon.erased_users
        on erased_users.user_hash = payrecon.erasure_hash(payrecon.escaped_text(candidate.word))
    order by length(candidate.word) desc
$$;

-- purpose: Returns a regular expression that finds a text as a word.
create or replace function payrecon.word_pattern(word text) returns text
language sql immutable parallel safe
return '(?<![A-Za-z0-9_.-])' || regexp_replace($1, '([^[:alnum:]])', '\\\1', 'g') || '(?![A-Za-z0-9_-]|\.[A-Za-z0-9])';
