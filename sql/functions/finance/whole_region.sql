-- purpose: the region that was earned as one where parts of it are paid apart, as paid_lines names them: EU:EUR and EU:CNY are of EU.
create or replace function payrecon.whole_region(region text) returns text
language sql immutable parallel safe
return split_part(region, ':', 1);
