-- purpose: Returns the first ids of a kind with a prefix. Those that orders name are from any version and from evidence, users and
--          tokens also from the users file.
-- parameters: prefix (text), as_kind (text): first column of the list below, rows (bigint): limit
-- grain:   one row per key, in order
create or replace function payrecon.keys_beginning(prefix text, as_kind text, rows bigint) returns setof text
language plpgsql stable parallel safe
-- A short query finishes before parallel workers have started.
set max_parallel_workers_per_gather = 0
as $$
declare
    beyond constant text collate "C" := prefix || chr(1114111);
    place text[];
    found text[];
    named text[] := '{}';
begin
    foreach place slice 1 in array array[
        ['user', 'users', 'user_id'], ['user', 'order_keys', 'user_id'], ['user', 'uploads', 'user_id'],
        ['token', 'user_tokens', 'app_account_token'], ['token', 'order_keys', 'app_account_token'],
        ['token', 'transactions', 'app_account_token'],
        ['device', 'order_keys', 'device_id'], ['device', 'uploads', 'device_id'],
        ['transaction', 'order_keys', 'transaction_id'], ['transaction', 'transactions', 'transaction_id'],
        ['line-item', 'order_keys', 'web_order_line_item_id'], ['line-item', 'charges', 'web_order_line_item_id'],
        ['break', 'break_events', 'break_id'], ['cell', 'tieout_cells', 'cell_id'], ['charge', 'charges', 'charge_id'],
        ['list-entry', 'list_entries', 'entry_id'], ['order', 'orders', 'order_id'],
        ['original', 'charges', 'original_transaction_id'], ['parked', 'parked_items', 'parked_id'], ['run', 'runs', 'run_id'],
        ['signal', 'signal_events', 'signal_id']
    ] loop
        continue when place[1] <> as_kind;
        execute format(
            $query$
                select array_agg(matching.key)
                from (
                    select distinct %2$I as key
                    from payrecon.%1$I
                    where %2$I >= $1 and %2$I < $2 and %2$I <> ''
                    order by 1
                    limit $3
                ) as matching
            $query$,
            place[2], place[3]
        ) into found using prefix, beyond, rows;
        named := named || found;
    end loop;
    return query
    select distinct matching.key collate "C"
    from unnest(named) as matching (key)
    order by 1
    limit rows;
end
$$;
