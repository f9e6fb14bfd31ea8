-- purpose: Replaces an erased user by the pseudonym in columns of a table and returns the number of changed rows.
-- parameters: as_table (text), columns, kinds (text[]): the kind of each column. user: a user id. subject: the id of a user or of
--             another subject. signal: the id of a signal, a hash of its subject. case: the id of a case, a hash of its subject.
--             items: the breaks and signals of a case. detail: of a finding. inputs: of a signal. text: may name any user.
--             name: the shop's name of the user; it is removed. note, reason: like text, but in the user's own case the whole
--             is removed.
--             pattern (text): a regular expression that finds the user id as a word
create or replace function payrecon.erase_columns(
    as_table text, columns text[], kinds text[], user_id text, pseudonym text, pattern text
) returns bigint
language plpgsql
as $$
declare
    condition text;
    assignments text;
    changed_count bigint;
begin
    select string_agg(format(rule.condition, named.name), ' or '), string_agg(format('%1$I = ' || rule.value, named.name), ', ')
    into condition, assignments
    from unnest(columns, kinds) as named (name, kind)
    inner join (values
        ('user', '%1$I = $1', 'case when %1$I = $1 then $2 else %1$I end'),
        ('subject', '(subject_kind = ''user'' and %1$I = $1)', 'case when subject_kind = ''user'' and %1$I = $1 then $2 else %1$I end'),
        (
            'signal', '(subject_kind = ''user'' and subject_id = $1)',
            'case when subject_kind = ''user'' and subject_id = $1 then payrecon.signal_hash(rule, ''user'', $2) else %1$I end'
        ),
        ('items', null, 'case when case_id = $4 then payrecon.erased_items(%1$I, $1, $2) else %1$I end'),
        ('case', '%1$I = $4', 'case when %1$I = $4 then $5 else %1$I end'),
        ('text', '%1$I ~ $3', 'regexp_replace(%1$I, $3, $2, ''g'')'),
        -- Most rows do not contain the id at all.
        (
            'detail',
            '(strpos(%1$I::text, trim(''"'' from to_jsonb($1)::text)) > 0 and %1$I <> payrecon.erased_detail(%1$I, $1, $3, $2))',
            'payrecon.erased_detail(%1$I, $1, $3, $2)'
        ),
        (
            'inputs',
            '(strpos(%1$I, trim(''"'' from to_json($1)::text)) > 0 and %1$I <> payrecon.erased_inputs(%1$I, $1, $3, $2))',
            'payrecon.erased_inputs(%1$I, $1, $3, $2)'
        ),
        ('name', null, 'case when user_id <> $1 then %1$I end'),
        ('note', '%1$I ~ $3', 'case when case_id = $4 then ''(erased)'' else regexp_replace(%1$I, $3, $2, ''g'') end'),
        ('reason', '%1$I ~ $3', 'case when case_id = $4 then '''' else regexp_replace(%1$I, $3, $2, ''g'') end')
    ) as rule (kind, condition, value) on rule.kind = named.kind;
    execute format('update payrecon.%I set %s where %s', as_table, assignments, condition)
    using user_id, pseudonym, pattern, payrecon.case_id_of('user', user_id), payrecon.case_id_of('user', pseudonym);
    get diagnostics changed_count = row_count;
    return changed_count;
end
$$;
