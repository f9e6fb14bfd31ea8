-- purpose: Replaces patterns in bytes. Patterns and replacements are for the text form encode(…, 'escape'), where a zero byte and
--          bytes from 128 are a backslash with three octal digits. A match never begins inside these or a doubled backslash.
-- parameters: content; patterns, replacements: parallel arrays of regular expressions and of replacements in their syntax
create or replace function payrecon.replaced_bytes(content bytea, patterns text[], replacements text[]) returns bytea
language plpgsql immutable
as $$
declare
    escaped text := encode(content, 'escape');
begin
    for place in 1 .. cardinality(patterns) loop
        escaped := regexp_replace(
            escaped, '(?<!(?:^|[^\\])(?:\\\\)*\\[0-7]{0,2})' || patterns[place], replacements[place], 'g'
        );
    end loop;
    return decode(escaped, 'escape');
end
$$;

-- purpose: Returns whether bytes contain one of several others, which are given in hexadecimal digits.
create or replace function payrecon.has_bytes(content bytea, parts text[]) returns boolean
language sql immutable parallel safe
return exists (select 1 from unnest(parts) as part (digits) where position(decode(part.digits, 'hex') in content) > 0);
