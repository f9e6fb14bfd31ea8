-- purpose: marks the pieces as filled, before their facts are stored; claims wait for the end of the transaction.
-- parameters: none
-- grain:   one row per piece that was not filled
update pieces
set is_filled = true
where not is_filled;
