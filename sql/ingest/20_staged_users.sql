-- purpose: staging table for a chunk of user rows.
-- grain:   one row per input row
create temp table if not exists staged_user (like payrecon.users) on commit delete rows;
alter table staged_user drop column if exists stated_at, drop column if exists mapping_number;
