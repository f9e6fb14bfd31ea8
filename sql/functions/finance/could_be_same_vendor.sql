-- purpose: whether two files name the same vendor, or the same account: a file that names none may be anybody's.
create or replace function payrecon.could_be_same_vendor(one text, other text) returns boolean
language sql immutable parallel safe
return one = other or one = '' or other = '';
