-- purpose: removes a partitioned run, once it is recorded or obsolete.
-- parameters: job (text): match or detect
-- grain:   one row per order, chain, user and evidence item of a partition
with removed as (
    delete from pieces
    where job = :'job'::text
)
delete from piece_members
where job = :'job'::text;
