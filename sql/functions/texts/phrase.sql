-- purpose: Returns a text for readers: its key in the catalogues, and the values of its placeholders. A value is a plain text,
--          a phrase, or a list of them. A list in place of the values is joined by the text of the key. The key `word.CODE`
--          stands for a code. Null if the key or a value is null, as with `||`.
-- note:    phrases are nested, and the planner would try to inline SQL functions at every level, so they are in PL/pgSQL.
create or replace function payrecon.phrase(key text, said jsonb default '{}') returns jsonb
language plpgsql immutable strict parallel safe
as $$
begin
    return case when jsonb_strip_nulls(said) = said then jsonb_build_object('key', key, 'with', said) end;
end
$$;

-- purpose: Returns a phrase of plain values, each after the name of its placeholder.
create or replace function payrecon.phrase(key text, variadic said text[]) returns jsonb
language plpgsql immutable strict parallel safe
as $$
begin
    return payrecon.phrase(key, jsonb_object(said));
end
$$;
