-- purpose: Returns the form of a person's or account's name that is compared: without case, blanks and variants of the same
--          letter. Source: Unicode Standard, sections 3.13 (case mappings) and 15 (compatibility normalization, NFKC).
create or replace function payrecon.person_key(name text) returns text
language sql stable parallel safe
as $$
    select normalize(
        lower(
            upper(regexp_replace(normalize($1, nfkc) collate "und-x-icu", '[[:space:][:cntrl:]]', '', 'g'))
        ), nfkc
    )
$$;

-- Returns a person as shown to readers: the name, with the account behind it if its name is another.
create or replace function payrecon.person_text(person text, account text) returns text
language sql immutable parallel safe
return case when person is null or person = account then account else person || ' (' || account || ')' end;

-- Returns why two people could be mistaken for each other under a name: characters that are not shown, or letters of several
-- alphabets with look-alikes. Returns null for other names. Source: Unicode Technical Standard 39, section 5.
create or replace function payrecon.person_name_fault(name text) returns text
language sql stable parallel safe
as $$
    select case
        when $1 ~ (
            '[\u00AD\u034F\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F'
            '\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\U000110BD\U000110CD\U00013430-\U0001343F'
            '\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
        ) then 'contains a character that is not shown'
        when (
            select count(*)
            from (values
                -- Latin, Greek, Cyrillic, Armenian, Georgian, Cherokee.
                ('[A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02AF\u1D00-\u1D25\u1E00-\u1EFF\u2C60-\u2C7F\uA722-\uA7FF\uAB30-\uAB64]'),
                ('[\u0370-\u03FF\u1F00-\u1FFF]'), ('[\u0400-\u052F\u1C80-\u1C8F\u2DE0-\u2DFF\uA640-\uA69F]'), ('[\u0531-\u058F]'),
                ('[\u10A0-\u10FF\u1C90-\u1CBF\u2D00-\u2D2F]'), ('[\u13A0-\u13FF\uAB70-\uABBF]')
            ) as alphabet (letters)
            where normalize($1, nfkc) ~ alphabet.letters
        ) > 1 then 'mixes letters of several alphabets'
    end
$$;

-- Refuses that the account of a proposal concludes it, unless it withdraws; only that account withdraws. Accounts whose passwords
-- one person knows count as one; the error code PR001 distinguishes that refusal. Without a proposal
-- (a null proposal_account) nothing is checked.
create or replace function payrecon.require_second_account(proposal_account text, account text, step text) returns void
language plpgsql stable strict
as $$
begin
    if step = 'withdrawn' and payrecon.person_key(proposal_account) <> payrecon.person_key(account) then
        raise exception 'account % proposed it, and only that account can withdraw it', proposal_account
            using errcode = 'check_violation';
    end if;
    if step <> 'withdrawn' and payrecon.person_key(proposal_account) = payrecon.person_key(account) then
        raise exception 'account % proposed it, and a second person must decide under another account', proposal_account
            using errcode = 'check_violation';
    end if;
    if step <> 'withdrawn'
        and payrecon.person_key(payrecon.console_keeper(proposal_account)) = payrecon.person_key(payrecon.console_keeper(account))
    then
        raise exception 'account % proposed it, and one person set the passwords of both accounts: the account must change its own',
            proposal_account using errcode = 'PR001';
    end if;
end
$$;
