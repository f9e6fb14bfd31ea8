-- purpose: all facts have their names again; those that the run looked at stay at hand for the rules as near_NAME.
-- grain:   that of each table
alter table orders rename to near_orders;
alter table charges rename to near_charges;
alter table matches rename to near_matches;
alter table claims rename to near_claims;
alter table sightings rename to near_sightings;
drop table
    users, user_tokens, transactions, refused_claims, second_charges, ambiguous_candidates, renewal_infos, notifications,
    judged_evidence, api_misses, match_keys, open_breaks, pending_breaks;
