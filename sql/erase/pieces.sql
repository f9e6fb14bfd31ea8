-- purpose: removes the pieces of a full run in progress, because the user's new id changes the piece of the user's component;
--          the run starts again.
-- grain:   one row per piece
delete from pieces;
