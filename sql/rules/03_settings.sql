-- purpose: the rules of this run with their settings.
-- parameters: rules, states, versions, parameters (text[]): parallel arrays
-- grain:   one row per rule that runs
create temp table rule_setting on commit drop as
select
    chosen.rule collate "C" as rule, chosen.state collate "C" as state, chosen.version::bigint as version,
    chosen.parameters collate "C" as parameters
from unnest(:'rules'::text[], :'states'::text[], :'versions'::text[], :'parameters'::text[])
    as chosen (rule, state, version, parameters);
