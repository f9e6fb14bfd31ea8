-- purpose: Returns the original bytes of an evidence item from their stored parts (format: PackedText.swift). The header and
--          the frame of the payload are stored once for all items that share them. The body may be packed. It then begins
--          with the number of nested texts that are evidence themselves (4 bytes) and the signature's length (1). Position (4)
--          and hash (32) of each nested text follow, then the signature and the decoded rest. Returns null if a nested text is
--          missing.
create or replace function payrecon.evidence_text(header bytea, frame bytea, body bytea, unpacked_length integer) returns bytea
language plpgsql stable parallel safe
as $$
declare
    inner_count integer;
    signature bytea;
    rest bytea;
    whole bytea := ''::bytea;
    inside record;
    beginning integer := 0;
    ending integer;
begin
    if unpacked_length is null then
        return coalesce(header, ''::bytea) || body;
    end if;
    inner_count := payrecon.big_endian(body, 0);
    signature := substring(body from 6 + 36 * inner_count for get_byte(body, 4));
    rest := payrecon.packed_rest(frame, body);
    -- Looks up nested texts one by one by key; a plan for all at once would scan the table.
    for place in 1..inner_count loop
        ending := payrecon.big_endian(body, 36 * place - 31);
        select signed_headers.header, signed_headers.frame, evidence.body, evidence.unpacked_length
        into inside
        from payrecon.evidence
        left join payrecon.signed_headers on signed_headers.header_key = evidence.header_key
        where evidence.sha256 = substring(evidence_text.body from 36 * place - 26 for 32);
        whole := whole || substring(rest from beginning + 1 for ending - beginning)
            || payrecon.evidence_text(inside.header, inside.frame, inside.body, inside.unpacked_length);
        beginning := ending;
    end loop;
    rest := whole || substring(rest from beginning + 1);
    if signature = ''::bytea then
        return rest;
    end if;
    return header || convert_to('.' || payrecon.base64url(rest) || '.' || payrecon.base64url(signature), 'UTF8');
end
$$;
