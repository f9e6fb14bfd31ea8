-- purpose: the inputs of rungs, classes and rules, each under an own name: all rows, as now or, in a transaction that looks
--          back to a clock, as known then. sql/inputs/component.sql defines the same names for a part.
-- grain:   as in each table
select drop_inputs();
create temp view in_orders as select * from orders;
create temp view in_charges as select * from charges;
create temp view in_matches as select * from matches;
create temp view in_refused_claims as select * from refused_claims;
create temp view in_second_charges as select * from second_charges;
create temp view in_ambiguous_candidates as select * from ambiguous_candidates;
create temp view in_users as select * from users;
create temp view in_user_tokens as select * from user_tokens;
create temp view in_judged_evidence as select * from judged_evidence;
create temp view in_uploads as select * from uploads;
create temp view in_matched_orders as select * from matched_orders;
create temp view in_transactions as select * from transactions;
create temp view in_renewal_infos as select * from renewal_infos;
create temp view in_notifications as select * from notifications;
create temp view in_api_misses as select * from api_misses;
create temp view in_open_breaks as select * from open_breaks;
create temp view in_pending_breaks as select * from pending_breaks;
