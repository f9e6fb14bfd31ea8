-- purpose: the server's clock in each entry of the audit chain, beside the clock of the act that its author may choose; and
--          indexes by which an entry finds the row it is about.

-- Null in entries from before; part of the hash in all others.
alter table payrecon.audit_log add column recorded_at timestamptz;

create index case_decisions_by_id on payrecon.case_decisions (decision_id);
create index case_undos_by_id on payrecon.case_undos (undo_id);
create index case_events_by_time on payrecon.case_events (at);
create index case_notes_by_time on payrecon.case_notes (at);
create index case_marks_by_time on payrecon.case_marks (at);
create index case_attachments_by_time on payrecon.case_attachments (at);
