-- purpose: whether so many cases changed (more than a fifth) that one caller regathers them while the others do not wait.
-- parameters: few (bigint): fewer changes than this are never too many
-- grain:   one row
select
    case
        when changes.change_count < :'few'::bigint then false
        else changes.change_count * 5 > (select count(*) from console_cases)
    end as is_many
from (select count(*) as change_count from console_changed) as changes;
