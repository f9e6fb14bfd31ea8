-- purpose: what pieces hold is found after they are cut, in a transaction of its own, which takes a while: whoever brings in facts
--          meanwhile need not wait. Of a run under way it was never asked.
alter table payrecon.pieces add column is_dealt boolean not null default false;
