-- purpose: Returns the decoded payload of a packed evidence body, without its nested texts (format: evidence_text). With a
--          frame the body contains only the values, separated by U+001F. Accepts any bytes, also altered ones.
create or replace function payrecon.packed_rest(frame bytea, body bytea) returns bytea
language sql immutable parallel safe
return case
    when frame is null then payrecon.packed_values(body)
    else (
        select decode(string_agg(part.shared || coalesce(part.value, ''), '' order by part.place), 'escape')
        from unnest(
            string_to_array(encode(frame, 'escape'), e'\x1f'),
            string_to_array(encode(payrecon.packed_values(body), 'escape'), e'\x1f')
        ) with ordinality as part (shared, value, place)
    )
end;
