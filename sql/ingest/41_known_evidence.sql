-- purpose: hashes of a chunk under which evidence is already stored.
-- parameters: sha256s (text[]): in hexadecimal
-- grain:   one row per known hash
select chunk_item.sha256
from unnest(:'sha256s'::text[]) as chunk_item (sha256)
inner join evidence on evidence.sha256 = decode(chunk_item.sha256, 'hex');
