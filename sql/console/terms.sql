-- purpose: the break classes with what a glossary says of them, by severity.
-- grain:   one row per class
select break_classes.class, break_classes.severity, break_classes.owner_team, break_classes.due_hours
from break_classes
order by severity_rank(break_classes.severity) desc, break_classes.class;
