-- purpose: whether nobody need wait any more for the rest of an input that was cut: a later file of its name was read that
--          repeats what was sound of it, or a person has decided on its cut end. The next day's file under the same name is
--          another one. False for what is no cut end.
create or replace function payrecon.is_cut_over(parked_id text, as_of timestamptz) returns boolean
language plpgsql stable
as $$
begin
    if not exists (select 1 from payrecon.cut_inputs where cut_inputs.parked_id = $1) then
        return false;
    end if;
    return exists (
        select 1
        from payrecon.parked_outcomes
        where parked_outcomes.parked_id = $1
            and parked_outcomes.decided_at <= $2
    )
    or not exists (
        select 1
        from payrecon.cut_inputs
        inner join payrecon.batches on batches.batch_id = cut_inputs.batch_id
        where cut_inputs.parked_id = $1
            and batches.known_at <= $2
            and not exists (
                select 1
                from payrecon.batches as later
                where later.kind = batches.kind
                    and later.file_name = batches.file_name
                    and later.batch_id > batches.batch_id
                    and later.state = 'done'
                    and later.repeated_count >= batches.accepted_count + batches.repeated_count
                    and later.known_at <= $2
            )
    );
end
$$;
