-- purpose: marks the partitions as filled, before their members are inserted in the same transaction; claims wait for it.
-- parameters: job (text): match or detect
-- grain:   one row per partition that was not filled
update pieces
set is_dealt = true
where job = :'job'::text
    and not is_dealt;
