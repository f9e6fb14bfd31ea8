-- purpose: the number of changes of a match run, and of all open items, including those outside its scope.
-- grain:   one row
select
    (select count(*) from match_change where change = 'begun') as begun_count,
    (select count(*) from match_change where change = 'ended') as ended_count,
    (select count(distinct charge_id) from match_ambiguous)
    + (select count(distinct charge_id) from payrecon.ambiguous_candidates)
    - (select count(distinct charge_id) from in_ambiguous_candidates as ambiguous_candidates) as ambiguous_count,
    (select count(*) from match_refused)
    + (select count(*) from payrecon.refused_claims)
    - (select count(*) from in_refused_claims as refused_claims) as refused_count;
