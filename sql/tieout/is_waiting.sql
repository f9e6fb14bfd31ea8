-- purpose: whether money that was paid out may still come to the bank.
-- parameters: none
-- grain:   one row
select exists (select 1 from tie_uncredited where not is_over) as is_waiting;
