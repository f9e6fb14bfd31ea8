-- purpose: gives a case back.
-- parameters: case_id, person (text)
-- grain:   one row, or none when this person does not have it
delete from case_leases
where case_id = :'case_id'::text
    and person = :'person'::text
    and account = acting_account();
