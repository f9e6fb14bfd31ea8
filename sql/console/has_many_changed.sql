-- purpose: whether so much is said of cases that all are gathered anew sooner than each: of a fifth of them, or of the first.
-- parameters: few (bigint): so little is never too much
-- grain:   one row
select
    case
        when said.change_count < :'few'::bigint then false
        else said.change_count * 5 > (select count(*) from console_cases)
    end as is_many
from (select count(*) as change_count from console_changed) as said;
