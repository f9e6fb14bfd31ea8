-- purpose: tables under the names of the field: what ties facts together into components is a key.
-- grain:   as before; nothing but names changes.
alter table payrecon.reach_keys rename to component_keys;
alter index payrecon.reach_keys_pkey rename to component_keys_pkey;
alter table payrecon.component_keys rename constraint reach_keys_kind to component_keys_kind;
alter table payrecon.component_keys rename constraint reach_keys_side to component_keys_side;
alter table payrecon.match_state rename column has_reach to has_keys;
