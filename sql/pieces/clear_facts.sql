-- purpose: removes facts that an interrupted run stored.
-- grain:   one row per chunk
delete from piece_facts;
