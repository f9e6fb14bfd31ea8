-- purpose: what was known at a past instant, also of what is kept only in its newest state: the versions of users, products
--          and prices, the standing of refused claims and candidates, and charges gathered from what was signed by then;
--          and decisions of people that were undone.
-- rules:   a function NAME_at(clock) gives the table NAME as it was known at a clock. A transaction that reads the past
--          puts the schema payrecon_past before this one: its views bear the names of the tables and show what was known
--          at the setting payrecon.as_of, so that one statement reads the present and the past.

-- Versions that a newer one replaced, as payrecon.order_versions keeps them; users and catalogue from before this migration
-- have none.
create table payrecon.user_versions (
    like payrecon.users,
    replaced_by_batch_id bigint not null,
    constraint user_versions_pkey primary key (user_id, batch_id, replaced_by_batch_id)
);
create table payrecon.product_versions (
    like payrecon.products,
    replaced_by_batch_id bigint not null,
    constraint product_versions_pkey primary key (bundle_id, product_id, batch_id, replaced_by_batch_id)
);
create table payrecon.catalogue_price_versions (
    like payrecon.catalogue_prices,
    replaced_by_batch_id bigint not null,
    constraint catalogue_price_versions_pkey primary key (
        bundle_id, product_id, storefront, currency, valid_from, batch_id, replaced_by_batch_id
    )
);

-- Since which clock a refusal, a second charge or a candidate stands, and those that no longer do.
alter table payrecon.refused_claims add column valid_from timestamptz not null default '-infinity';
alter table payrecon.second_charges add column valid_from timestamptz not null default '-infinity';
alter table payrecon.ambiguous_candidates add column valid_from timestamptz not null default '-infinity';
create table payrecon.ended_refused_claims (
    like payrecon.refused_claims,
    valid_to timestamptz not null,
    constraint ended_refused_claims_pkey primary key (order_id, valid_from, valid_to)
);
create table payrecon.ended_second_charges (
    like payrecon.second_charges,
    valid_to timestamptz not null,
    constraint ended_second_charges_pkey primary key (original_transaction_id, charge_id, valid_from, valid_to)
);
create table payrecon.ended_ambiguous_candidates (
    like payrecon.ambiguous_candidates,
    valid_to timestamptz not null,
    constraint ended_ambiguous_candidates_pkey primary key (
        original_transaction_id, charge_id, order_id, valid_from, valid_to
    )
);

-- Each view asks with the rights of whoever looks, so that everybody may look.
create schema payrecon_past;
grant usage on schema payrecon_past to public;
alter default privileges in schema payrecon_past grant select on tables to public;

-- Decisions that were taken back: the case stands as if they had never been made. What took two people to decide takes two
-- to undo. Append-only.
create table payrecon.case_undos (
    case_id text collate "C" not null,
    decision_id text collate "C" not null,
    undo_id text collate "C" not null,
    step text collate "C" not null,
    action text collate "C" not null,
    reason text collate "C" not null,
    asked_by text collate "C" not null,
    approved_by text collate "C",
    account text collate "C" not null,
    proposal_step text collate "C",
    at timestamptz not null,
    constraint case_undos_pkey primary key (case_id, decision_id, undo_id, step),
    constraint case_undos_proposal_key unique (case_id, decision_id, undo_id, step, action, asked_by),
    constraint case_undos_step check (step in ('proposed', 'effective', 'rejected')),
    constraint case_undos_said check (reason <> '' and asked_by <> ''),
    constraint case_undos_two_people check (
        lower(btrim(approved_by)) <> lower(btrim(asked_by)) and btrim(approved_by) <> ''
    ),
    constraint case_undos_second_person check (
        case
            when action not in ('ban', 'forced_match', 'write_off') then step = 'effective'
            when step = 'proposed' then approved_by is null and proposal_step is null
            else approved_by is not null and proposal_step is not distinct from 'proposed'
        end
    ),
    constraint case_undos_proposal foreign key (case_id, decision_id, undo_id, proposal_step, action, asked_by)
        references payrecon.case_undos (case_id, decision_id, undo_id, step, action, asked_by)
);
create unique index case_undos_once on payrecon.case_undos (case_id, decision_id) where step = 'effective';
create unique index case_undos_one_end on payrecon.case_undos (case_id, decision_id, undo_id) where step <> 'proposed';

do $$
begin
    -- What is only added to is closed to the owner too.
    revoke insert, update, delete, truncate on
        payrecon.ended_refused_claims, payrecon.ended_second_charges, payrecon.ended_ambiguous_candidates
    from payrecon_migrate;
    -- The key from an approval to what was asked is checked with the owner's rights, which takes the right to lock.
    revoke insert, delete, truncate on payrecon.case_undos from payrecon_migrate;
exception
    when undefined_object then null;
end
$$;
