-- purpose: marks purchases that testers made while they were testers; a review window for all users makes nobody a tester.
-- grain:   one row per charge of a tester
update rule_sale
set is_tester = true
from rule_tester
where rule_tester.user_id = rule_sale.user_id
    and rule_tester.bundle_id in (rule_sale.bundle_id, '')
    and rule_tester.allowed @> rule_sale.purchased_at;
