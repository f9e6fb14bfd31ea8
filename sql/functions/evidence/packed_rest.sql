-- purpose: what a packed body of evidence holds beside its head (evidence_text says how): the payload of what is signed,
--          decoded and without the texts inside it. Where it has a frame, the body holds the values alone, with U+001F between;
--          any bytes come out, changed ones, too.
create or replace function payrecon.packed_rest(frame bytea, body bytea) returns bytea
language sql immutable parallel safe
return case
    when frame is null then payrecon.packed_told(body)
    else (
        select decode(string_agg(part.shared || coalesce(part.value, ''), '' order by part.place), 'escape')
        from unnest(
            string_to_array(encode(frame, 'escape'), e'\x1f'),
            string_to_array(encode(payrecon.packed_told(body), 'escape'), e'\x1f')
        ) with ordinality as part (shared, value, place)
    )
end;
