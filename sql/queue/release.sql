-- purpose: ends a person's lease of a case.
-- parameters: case_id, person (text)
-- grain:   one row; none if this person has no lease
delete from case_leases
where case_id = :'case_id'::text
    and person = :'person'::text
    and account = acting_account();
