-- purpose: what is known of each rung of the ladder, from sql/reference/rungs.csv; another rung needs no schema file.
-- grain:   one row per rung
create table payrecon.rungs (
    rung text collate "C" not null,
    name text collate "C" not null,
    -- How sure its matches are; null where it pairs nobody.
    confidence text collate "C",
    -- Whether an order that is its candidate names the charge itself, by its transaction, its line item or its evidence: such a
    -- claim is told when it is refused, and counts for what nobody else may have.
    is_claim boolean not null,
    -- What holds of an order and a charge that it pairs.
    says text not null,
    constraint rungs_pkey primary key (rung),
    constraint rungs_rung check (rung between 'M0' and 'M9' and length(rung) = 2),
    constraint rungs_confidence check (confidence in ('decided', 'exact', 'derived', 'heuristic'))
);

-- Each run refuses a rung without a row in there.
alter table payrecon.matches drop constraint matches_rung;
alter table payrecon.matches add constraint matches_rung check (rung between 'M0' and 'M9');
