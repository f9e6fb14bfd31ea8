-- purpose: Returns the first day of the calendar month that a fiscal period is named after. P01 is October.
-- parameters: fiscal_year (integer); number (integer): 1 to 12
create or replace function payrecon.month_of_period(fiscal_year integer, number integer) returns date
language sql immutable parallel safe
return make_date(fiscal_year - case when number <= 3 then 1 else 0 end, (number + 8) % 12 + 1, 1);
