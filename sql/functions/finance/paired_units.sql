-- purpose: Returns the units that a cell of ours and one of Apple's share if the units of both sides are paired in order: each
--          cell has the last units of its side's cumulative sum. 0 or less if they share none.
create or replace function payrecon.paired_units(our_sum numeric, our_units numeric, their_sum numeric, their_units numeric) returns numeric
language sql immutable parallel safe
return least(our_sum, their_sum) - greatest(our_sum - our_units, their_sum - their_units);
