-- purpose: procedures that earlier migrations chained to one another to say what each role may do: from here on
--          sql/functions/grant_roles.sql says it all.
-- note:    functions, procedures and views are made from sql/functions after these files; no file here makes or changes one.
drop procedure if exists payrecon.grant_roles_before_order_states();
drop procedure if exists payrecon.grant_roles_before_known_at();
drop procedure if exists payrecon.grant_roles_of_audit();
drop procedure if exists payrecon.grant_roles_before_budgets();
drop procedure if exists payrecon.grant_roles_0012();
