-- purpose: Extends the open scope (sql/scope/00_work_tables.sql) round by round, until a round finds nothing, the scope
--          exceeds rows_max orders or chains, or last_round is done.
-- parameters: has_families: whether listed households are kept together; is_joining: whether keys are joined with whole
--             tables
-- grain:   one row; row_count: the number of orders or of chains, whichever is greater; has_more: whether the last round
--          found anything
create or replace function payrecon.scope_close(
    first_round integer, last_round integer, rows_max bigint, has_families boolean, is_joining boolean
) returns table (done_round integer, row_count bigint, has_more boolean)
language plpgsql volatile
-- Each step is planned once for all rounds.
set plan_cache_mode = force_generic_plan
as $$
begin
    -- The scope is empty.
    if not exists (select 1 from scope_order) and not exists (select 1 from scope_chain)
        and not exists (select 1 from scope_evidence) and not exists (select 1 from scope_key) then
        done_round := first_round;
        row_count := 0;
        has_more := false;
        return next;
        return;
    end if;
    for this_round in first_round..last_round loop
        perform payrecon.scope_keys(this_round);
        if is_joining then
            analyze scope_key;
        end if;
        perform payrecon.scope_facts(this_round);
        if has_families then
            perform payrecon.scope_families(this_round);
        end if;
        if is_joining then
            analyze scope_order, scope_chain, scope_evidence, scope_key;
        end if;
        done_round := this_round;
        row_count := greatest((select count(*) from scope_order), (select count(*) from scope_chain));
        has_more := exists (select 1 from scope_order where scope_order.round > this_round)
            or exists (select 1 from scope_chain where scope_chain.round > this_round)
            or exists (select 1 from scope_evidence where scope_evidence.round > this_round)
            or exists (select 1 from scope_key where scope_key.round > this_round);
        exit when not has_more or row_count > rows_max;
    end loop;
    return next;
end
$$;
