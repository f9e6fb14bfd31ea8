-- purpose: whether nobody need wait any more for the rest of an input that was cut: a later file of its name was read that
--          repeats what was sound of it, or tells it anew, or a person has decided on its cut end. The next day's file under
--          the same name is another one. False for what is no cut end.
create or replace function payrecon.is_cut_over(parked_id text, as_of timestamptz) returns boolean
language plpgsql stable
as $$
declare
    cut record;
    later record;
    moved_count bigint;
    is_whole boolean;
begin
    if not exists (select 1 from payrecon.cut_inputs where cut_inputs.parked_id = $1) then
        return false;
    end if;
    if exists (
        select 1
        from payrecon.parked_outcomes
        where parked_outcomes.parked_id = $1
            and parked_outcomes.decided_at <= $2
    ) then
        return true;
    end if;
    for cut in
        -- What was sound of an input may have come in several batches, the last of which was cut.
        select
            batches.batch_id, batches.kind, batches.file_name, array_agg(part.batch_id) as batch_ids,
            sum(part.accepted_count + part.repeated_count) as row_count
        from payrecon.cut_inputs
        inner join payrecon.batches on batches.batch_id = cut_inputs.batch_id
        inner join payrecon.batches as part
            on part.batch_id in (batches.batch_id, batches.first_batch_id)
            or part.first_batch_id = batches.first_batch_id
        where cut_inputs.parked_id = $1
            and batches.known_at <= $2
        group by batches.batch_id
    loop
        is_whole := false;
        for later in
            select array_agg(batches.batch_id) as batch_ids, sum(batches.repeated_count) as repeated_count
            from payrecon.batches
            where batches.kind = cut.kind
                and batches.file_name = cut.file_name
                and batches.batch_id <> all(cut.batch_ids)
            group by coalesce(batches.first_batch_id, batches.batch_id)
            having max(batches.batch_id) > cut.batch_id
                and bool_and(batches.state = 'done' and batches.known_at <= $2)
        loop
            select count(*) into moved_count
            from payrecon.order_versions
            where order_versions.replaced_by_batch_id = any(later.batch_ids)
                and order_versions.batch_id = any(cut.batch_ids);
            is_whole := later.repeated_count + moved_count >= cut.row_count;
            exit when is_whole;
        end loop;
        if not is_whole then
            return false;
        end if;
    end loop;
    return true;
end
$$;
