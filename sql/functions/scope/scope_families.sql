-- purpose: Adds the households of a round's users; one step of a scope.
create or replace function payrecon.scope_families(this_round integer) returns void
language plpgsql volatile
as $$
begin
    -- Rules about groups count a household once, so its members belong to one scope.
    insert into scope_key (key, kind, round)
    select reached.user_id, 'user', this_round + 1
    from (
        select fellow.subject_id as user_id
        from scope_key
        inner join list_entries as member
            on member.subject_id = scope_key.key
            and member.list = 'family'
        inner join list_entries as fellow
            on fellow.family = member.family
            and fellow.list = 'family'
        where scope_key.round = this_round
            and scope_key.kind = 'user'
        except
        select scope_key.key
        from scope_key
        where scope_key.kind = 'user'
    ) as reached;
end
$$;
