-- purpose: whether so much is said of cases that one gathers them anew and nobody else waits for it: of a fifth of them.
-- parameters: few (bigint): so little is never too much
-- grain:   one row
select
    case
        when said.change_count < :'few'::bigint then false
        else said.change_count * 5 > (select count(*) from console_cases)
    end as is_many
from (select count(*) as change_count from console_changed) as said;
