-- purpose: Returns whether an audit act is sent to webhooks: verdicts, and the progress of decisions.
create or replace function payrecon.is_webhook_act(act text) returns boolean
language sql immutable parallel safe
return act in (
    'run_ended', 'case_proposed', 'case_effective', 'case_rejected', 'case_withdrawn', 'case_undo_proposed', 'case_undone',
    'case_undo_rejected', 'case_undo_withdrawn'
);
