-- purpose: appends an act to the audit chain, in the transaction of the act.
-- parameters: at (timestamptz), actor, act, subject, details (text): a JSON object
-- grain:   one row: the entry's number
select audit_append(:'at'::timestamptz, :'actor'::text, :'act'::text, :'subject'::text, :'details'::text);
