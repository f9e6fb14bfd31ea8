-- purpose: how much a match run changes and leaves open.
-- parameters: none
-- grain:   one row
select
    (select count(*) from match_change where change = 'begun') as begun_count,
    (select count(*) from match_change where change = 'ended') as ended_count,
    (select count(distinct charge_id) from match_ambiguous) as ambiguous_count,
    (select count(*) from match_refused) as refused_count;
