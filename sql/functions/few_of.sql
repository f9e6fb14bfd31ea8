-- purpose: names as people read them, the first three: `A, B, C and 4 more`.
create or replace function payrecon.few_of(names text[]) returns text
language sql immutable strict parallel safe
return array_to_string(names[1:3], ', ')
    || case when cardinality(names) > 3 then ' and ' || cardinality(names) - 3 || ' more' else '' end;
