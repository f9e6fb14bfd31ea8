-- purpose: which payments files are of a month that Apple only estimates, because nothing of it was paid out yet.
-- It returns one column more.
drop function if exists payrecon.paid_lines();
alter table payrecon.finance_files add column is_estimate boolean not null default false;
alter table payrecon.tieout_payments add column is_estimate boolean not null default false;
