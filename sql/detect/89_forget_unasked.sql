-- purpose: forgets what was found of charges and subscriptions that are only shown for an order's sake: not all that bears on
--          them is in the scope.
-- grain:   one finding
delete from finding
where (finding.subject_id like 'charge:%' or finding.subject_id like 'chain:%')
    and not exists (select from scope_subject where scope_subject.subject_id = finding.subject_id);
