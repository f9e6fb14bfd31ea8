-- purpose: Returns the text of bytes in escape format; null if they are not valid UTF-8.
create or replace function payrecon.escaped_text(escaped text) returns text
language plpgsql immutable parallel safe
as $$
begin
    return convert_from(decode($1, 'escape'), 'UTF8');
exception
    when data_exception then
        return null;
end
$$;
