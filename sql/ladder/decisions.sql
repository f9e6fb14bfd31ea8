-- purpose: pairs that two reviewers decided on.
-- grain:   one row per order and charge
select order_id, charge_id, action
from decided_pairs;
