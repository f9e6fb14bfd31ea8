-- purpose: the rules of this run with their settings.
-- parameters: rules, states, versions, parameters (text[]): parallel arrays
-- grain:   one row per rule that runs
insert into rule_setting (rule, state, version, parameters)
select chosen.rule, chosen.state, chosen.version::bigint, chosen.parameters
from unnest(:'rules'::text[], :'states'::text[], :'versions'::text[], :'parameters'::text[])
    as chosen (rule, state, version, parameters);
