-- purpose: appends an entry if the state, version or parameters of any rule differ from the previous run.
-- parameters: at (timestamptz), actor, run_id (text), names, settings (text[]): each rule and its setting
-- grain:   one row with the entry's number, or none when nothing changed
with before as (
    select rule.key as name, rule.value as setting
    from (
        select audit_log.details
        from audit_log
        where audit_log.act = 'rules_changed'
        order by audit_log.number desc
        limit 1
    ) as latest
    cross join json_each_text(latest.details::json -> 'rules') as rule
),
now_set as (select rule.name, rule.setting from unnest(:'names'::text[], :'settings'::text[]) as rule (name, setting)),
changed as (
    select coalesce(now_set.name, before.name) as name, before.setting as old_setting, now_set.setting as new_setting
    from now_set
    full join before on before.name = now_set.name
    where before.setting is distinct from now_set.setting
)
select audit_append(
    :'at'::timestamptz, :'actor'::text, 'rules_changed', :'run_id'::text,
    json_build_object(
        'changed', (
            select json_object_agg(name, json_build_object('old', old_setting, 'new', new_setting) order by name)
            from changed
        ),
        'rules', (select json_object_agg(name, setting order by name) from now_set)
    )::text
)
where exists (select 1 from changed);
