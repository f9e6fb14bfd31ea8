-- purpose: removes facts that an interrupted run stored.
-- parameters: none
-- grain:   one row per chunk
delete from piece_facts;
