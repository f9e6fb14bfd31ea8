-- purpose: Returns whether a later input of a name contains the valid rows of a truncated one: it repeats or replaces at least as
--          many rows.
-- parameters: batch_ids: the truncated input's; noted_batch_id: the batch that its truncation was recorded in
create or replace function payrecon.is_repeated_later(
    kind text, file_name text, batch_ids bigint[], row_count numeric, noted_batch_id bigint, as_of timestamptz
) returns boolean
language plpgsql stable
as $$
declare
    later record;
    replaced_count bigint;
begin
    for later in
        select
            array_agg(batches.batch_id) as batch_ids,
            -- A row that is older than the known order is still a repeat of a known order.
            sum(batches.repeated_count + case batches.kind when 'orders' then batches.ignored_count else 0 end) as repeated_count
        from payrecon.batches
        where batches.kind = $1
            and batches.file_name = $2
            and batches.batch_id <> all($3)
            and not exists (
                select 1
                from payrecon.truncated_inputs
                where truncated_inputs.batch_id = batches.batch_id
                    and truncated_inputs.of_batch_id is not null
            )
        group by coalesce(batches.first_batch_id, batches.batch_id)
        having max(batches.batch_id) > $5
            and bool_and(batches.state = 'done' and batches.known_at <= $6)
    loop
        select count(*) into replaced_count
        from (
            select 1
            from payrecon.order_versions
            where order_versions.replaced_by_batch_id = any(later.batch_ids)
                and order_versions.batch_id = any($3)
            union all
            select 1
            from payrecon.user_versions
            where user_versions.replaced_by_batch_id = any(later.batch_ids)
                and user_versions.batch_id = any($3)
            union all
            select 1
            from payrecon.product_versions
            where product_versions.replaced_by_batch_id = any(later.batch_ids)
                and product_versions.batch_id = any($3)
        ) as replaced;
        if later.repeated_count + replaced_count >= $4 then
            return true;
        end if;
    end loop;
    return false;
end
$$;

-- purpose: Returns whether a truncated, refused or unfinished input no longer makes a night incomplete. It is resolved once
--          its rest was read, or a person decided on its truncated end. A later file of its name also resolves it if it
--          repeats or replaces the valid rows and contains the truncated record. The next day's file of the same name does
--          not. Returns false for an id without a truncated end.
create or replace function payrecon.is_truncation_resolved(parked_id text, as_of timestamptz) returns boolean
language plpgsql stable
as $$
declare
    truncated record;
begin
    if not exists (select 1 from payrecon.truncated_inputs where truncated_inputs.parked_id = $1) then
        return false;
    end if;
    for truncated in
        -- The valid rows of an input may be spread over several batches.
        select
            noted.batch_id, noted.kind, noted.file_name, noted.known_at,
            truncated_inputs.of_batch_id is not null as is_note,
            not truncated_inputs.awaits_record or completing.known_at <= $2 as is_completed,
            array_agg(part.batch_id) as batch_ids,
            bool_and(part.state = 'done' and part.known_at <= $2) as is_read,
            coalesce(sum(part.accepted_count + part.repeated_count) filter (where part.known_at <= $2), 0) as row_count
        from payrecon.truncated_inputs
        inner join payrecon.batches as noted on noted.batch_id = truncated_inputs.batch_id
        left join payrecon.batches as completing on completing.batch_id = truncated_inputs.completing_batch_id
        inner join payrecon.batches as part
            on coalesce(part.first_batch_id, part.batch_id)
                = coalesce(truncated_inputs.of_batch_id, noted.first_batch_id, noted.batch_id)
        where truncated_inputs.parked_id = $1
            and noted.known_at <= $2
        group by noted.batch_id, truncated_inputs.of_batch_id, truncated_inputs.awaits_record, completing.known_at
    loop
        continue when truncated.is_note and truncated.is_read;
        continue when exists (
            select 1
            from payrecon.parked_outcomes
            where parked_outcomes.parked_id = $1
                and parked_outcomes.decided_at <= $2
                and parked_outcomes.decided_at >= truncated.known_at
        );
        continue when truncated.is_completed and payrecon.is_repeated_later(
            truncated.kind, truncated.file_name, truncated.batch_ids, truncated.row_count, truncated.batch_id, $2
        );
        return false;
    end loop;
    return true;
end
$$;
