-- purpose: a list or a price changed: what the run looked at is not enough for the rules.
-- grain:   that of each table
drop table
    in_orders, in_charges, in_matches, in_refused_claims, in_second_charges, in_ambiguous_candidates, in_match_keys,
    in_judged_evidence, in_uploads, in_matched_orders, in_transactions, in_renewal_infos, in_notifications, in_api_misses,
    in_open_breaks, in_pending_breaks;
