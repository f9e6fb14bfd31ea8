-- purpose: Returns whether two files may have the same vendor or account: equal names, or a file without one.
create or replace function payrecon.could_be_same_vendor(one text, other text) returns boolean
language sql immutable parallel safe
return one = other or one = '' or other = '';
