-- purpose: removes the facts of a full run in progress, which name the user; the run starts again.
-- grain:   one row per chunk
with begun as (delete from pieces)
delete from piece_facts;
