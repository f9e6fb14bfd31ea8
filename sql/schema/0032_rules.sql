-- purpose: the abuse rules as they ship, filled from sql/reference/rules.csv; the settings file changes state, version and
--          parameters of a run, never this table.
-- grain:   one row per rule
create table payrecon.rules (
    rule text collate "C" not null,
    -- File in sql/rules, without ending.
    file text collate "C" not null,
    -- What a suspicion by this rule is called.
    title text collate "C" not null,
    state text collate "C" not null,
    version integer not null,
    -- name=value, separated by semicolons: 30d is a length of time, 3 a count, [a b] texts, {CNY:3} a number per currency.
    parameters text collate "C",
    -- near: asked about what is near a change, because it reads whole histories; all: about everything.
    extent text collate "C" not null,
    -- Whose purchases are gathered for it: of users with refunds, of users who buy abroad, of users who buy often.
    sales_of text collate "C",
    constraint rules_pkey primary key (rule),
    constraint rules_file unique (file),
    constraint rules_state check (state in ('draft', 'shadow', 'live')),
    constraint rules_extent check (extent in ('near', 'all')),
    constraint rules_sales_of check (sales_of in ('refunds', 'abroad', 'busy'))
);
