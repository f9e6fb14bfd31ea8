-- purpose: what is at stake in a case is a sum, which may pass what 64 bits hold.
alter table payrecon.case_decisions alter column amount_milliunits type numeric;
alter table payrecon.console_cases alter column amount_milliunits type numeric;
