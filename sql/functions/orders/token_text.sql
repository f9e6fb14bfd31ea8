-- purpose: Returns an app account token in its stored form: a UUID in lower case with dashes, whether or not the text has them.
create or replace function payrecon.token_text(id text) returns text
language sql immutable parallel safe
return case
    when id ~ '^[0-9A-Fa-f]{32}$' then lower(regexp_replace(id, '^(.{8})(.{4})(.{4})(.{4})(.{12})$', '\1-\2-\3-\4-\5'))
    else lower(id)
end;
