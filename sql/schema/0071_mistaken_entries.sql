-- purpose: an entry that should never have been on its list covers nothing, not even what was bought while it stood there.
alter table payrecon.list_removals
add column is_mistake boolean not null default false;
