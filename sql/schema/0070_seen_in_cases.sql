-- purpose: what whoever has a case could see of it, when they took it or last looked: a decision covers that, and leaves open what
--          came in since.

-- The undecided breaks and the event of each that was the newest then; null for who took a case before this was kept.
alter table payrecon.case_leases
add column seen_break_ids text[] collate "C",
add column seen_as_of timestamptz[],
add column seen_attempts integer[];
