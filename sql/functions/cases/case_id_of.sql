-- purpose: Returns the id of the case of a subject (user, order, charge, break, …).
create or replace function payrecon.case_id_of(subject_kind text, subject_id text) returns text
language sql immutable parallel safe
return payrecon.id_hash(subject_kind || '|' || subject_id);

-- Returns the id of a break's case: that of its user, else of its order, its charge, or itself.
create or replace function payrecon.case_id_of_break(user_id text, order_id text, charge_id text, break_id text) returns text
language sql immutable parallel safe
return payrecon.case_id_of(
    case
        when user_id is not null then 'user'
        when order_id is not null then 'order'
        when charge_id is not null then 'charge'
        else 'break'
    end,
    coalesce(user_id, order_id, charge_id, break_id)
);

-- Returns the id of a signal's case: that of its user, else of its subject.
create or replace function payrecon.case_id_of_signal(user_id text, subject_kind text, subject_id text) returns text
language sql immutable parallel safe
return payrecon.case_id_of(case when user_id is null then subject_kind else 'user' end, coalesce(user_id, subject_id));
