-- purpose: sets the code of the sums for the rest of the transaction, which then reads stored sums of the same code.
-- parameters: code (text): the program's version and a hash of its SQL
-- grain:   one row
select set_config('payrecon.sums_code', :'code'::text, true) as code;
