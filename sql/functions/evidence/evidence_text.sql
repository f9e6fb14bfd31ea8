-- purpose: the bytes of a piece of evidence as they came, out of what is kept of them (PackedText.swift says how): the header and
--          the frame of the payload, kept once for all that share them, and a body that may be packed: the number of texts
--          inside it that are evidence by themselves (4 bytes), the length of the signature (1), for each inner text where it
--          stands (4) and its hash (32), the signature, and the rest, decoded. Null where an inner text is not there.
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
    -- One by one, each by its key: a plan for all at once reads the table.
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
