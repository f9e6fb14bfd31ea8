-- purpose: write privileges that jobs need and lack.
-- grain:   one row per missing privilege
select needed.privilege, needed.name
from (
    values
        ('insert', 'evidence'), ('insert', 'orders'), ('update', 'orders'), ('insert', 'batches'), ('update', 'batches'),
        ('insert', 'matches'), ('delete', 'matches'), ('insert', 'break_events'), ('insert', 'runs'), ('update', 'runs'),
        ('insert', 'report_manifests'), ('insert', 'input_hours')
) as needed (privilege, name)
where not has_table_privilege(format('payrecon.%I', needed.name), needed.privilege)
union all
select 'execute', 'audit_append'
where not has_function_privilege('payrecon.audit_append(timestamptz, text, text, text, text)', 'execute')
order by name, privilege;
