-- purpose: the rules of this run, as they are set.
-- parameters: rules, states, versions, parameters (text[]): one element per rule
-- grain:   one row per rule that runs
insert into rule_setting (rule, state, version, parameters)
select chosen.rule, chosen.state, chosen.version::bigint, chosen.parameters
from unnest(:'rules'::text[], :'states'::text[], :'versions'::text[], :'parameters'::text[])
    as chosen (rule, state, version, parameters);
