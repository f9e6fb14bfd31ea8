-- purpose: a run in pieces is recorded, or no use any more.
-- parameters: job (text): match or detect
-- grain:   one row per order, chain, user and piece of evidence that a piece held
with gone as (
    delete from pieces
    where job = :'job'::text
)
delete from piece_members
where job = :'job'::text;
