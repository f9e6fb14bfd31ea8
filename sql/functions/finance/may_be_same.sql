-- purpose: whether two files name the same vendor, or the same account: a file that names none may be anybody's.
create or replace function payrecon.may_be_same(one text, other text) returns boolean
language sql immutable parallel safe
return one = other or one = '' or other = '';
