-- purpose: Returns whether the large tables are distributed over several nodes (payrecon database distribute).
create or replace function payrecon.is_distributed() returns boolean
language plpgsql stable
as $$
begin
    if to_regclass('pg_catalog.pg_dist_partition') is null then
        return false;
    end if;
    return exists (select 1 from pg_catalog.pg_dist_partition);
end
$$;
