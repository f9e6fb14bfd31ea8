-- purpose: the bytes of a piece of evidence, as they came.
-- parameters: sha256 (text)
-- grain:   one row, or none
select evidence_text(signed_headers.header, evidence.body, evidence.unpacked_length)
from evidence
left join signed_headers on signed_headers.header_sha256 = evidence.header_sha256
where evidence.sha256 = :'sha256'::text;
