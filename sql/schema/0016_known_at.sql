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

create function payrecon.orders_at(clock timestamptz) returns setof payrecon.orders
language sql stable parallel safe
as $$
    select orders.*
    from payrecon.orders
    where not exists (
        select
        from payrecon.batches
        where batches.batch_id = orders.batch_id
            and batches.known_at > clock
    )
    union all
    select
        order_id, bundle_id, product_id, user_id, status, environment, currency, storefront, app_account_token,
        application_username, transaction_id, original_transaction_id, web_order_line_item_id, device_id,
        evidence_sha256, operator_id, quantity, price_milliunits, content_hash, batch_id, created_at, updated_at,
        paid_at, delivered_at, refunded_at, entitlement_expires_at
    from payrecon.order_versions
    where replaced_by_batch_id in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
        and batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
$$;

create function payrecon.users_at(clock timestamptz) returns setof payrecon.users
language sql stable parallel safe
as $$
    select users.*
    from payrecon.users
    where not exists (
        select
        from payrecon.batches
        where batches.batch_id = users.batch_id
            and batches.known_at > clock
    )
    union all
    select user_id, app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at
    from payrecon.user_versions
    where replaced_by_batch_id in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
        and batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
$$;

create function payrecon.products_at(clock timestamptz) returns setof payrecon.products
language sql stable parallel safe
as $$
    select products.*
    from payrecon.products
    where batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
    union all
    select bundle_id, product_id, type, subscription_group, period, is_family_shareable, batch_id
    from payrecon.product_versions
    where replaced_by_batch_id in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
        and batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
$$;

create function payrecon.catalogue_prices_at(clock timestamptz) returns setof payrecon.catalogue_prices
language sql stable parallel safe
as $$
    select catalogue_prices.*
    from payrecon.catalogue_prices
    where batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
    union all
    select bundle_id, product_id, storefront, currency, price_milliunits, batch_id, valid_from
    from payrecon.catalogue_price_versions
    where replaced_by_batch_id in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
        and batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
$$;

create function payrecon.matches_at(clock timestamptz) returns setof payrecon.matches
language sql stable parallel safe
as $$
    select matches.*
    from payrecon.matches
    where valid_from <= clock
    union all
    select original_transaction_id, charge_id, order_id, rung, run_id, confidence, valid_from
    from payrecon.ended_matches
    where valid_from <= clock
        and valid_to > clock
$$;

create function payrecon.refused_claims_at(clock timestamptz) returns setof payrecon.refused_claims
language sql stable parallel safe
as $$
    select refused_claims.*
    from payrecon.refused_claims
    where valid_from <= clock
    union all
    select order_id, class, rung, charge_id, evidence_sha256, counterpart, is_explicit, valid_from
    from payrecon.ended_refused_claims
    where valid_from <= clock
        and valid_to > clock
$$;

create function payrecon.second_charges_at(clock timestamptz) returns setof payrecon.second_charges
language sql stable parallel safe
as $$
    select second_charges.*
    from payrecon.second_charges
    where valid_from <= clock
    union all
    select original_transaction_id, charge_id, order_id, valid_from
    from payrecon.ended_second_charges
    where valid_from <= clock
        and valid_to > clock
$$;

create function payrecon.ambiguous_candidates_at(clock timestamptz) returns setof payrecon.ambiguous_candidates
language sql stable parallel safe
as $$
    select ambiguous_candidates.*
    from payrecon.ambiguous_candidates
    where valid_from <= clock
    union all
    select original_transaction_id, charge_id, order_id, contributions, rank, valid_from
    from payrecon.ended_ambiguous_candidates
    where valid_from <= clock
        and valid_to > clock
$$;

-- Charges of which nothing came later are as they are; the others are gathered from what was known, by the rules of
-- sql/ingest/46_gather_charges.sql, which the tests hold against this.
create function payrecon.charges_at(clock timestamptz) returns setof payrecon.charges
language sql stable parallel safe
as $$
    with later as (
        select batches.batch_id from payrecon.batches where batches.known_at > clock
    ),
    touched as (
        select distinct transactions.original_transaction_id, transactions.charge_id
        from payrecon.transactions
        where transactions.batch_id in (select later.batch_id from later)
    ),
    observation as (
        select transactions.*
        from touched
        inner join payrecon.transactions
            on transactions.original_transaction_id = touched.original_transaction_id
            and transactions.charge_id = touched.charge_id
        where transactions.batch_id not in (select later.batch_id from later)
    ),
    newest as (
        select distinct on (original_transaction_id, charge_id) observation.*
        from observation
        -- Of two statements signed in the same millisecond the one with the refund is the later one.
        order by
            original_transaction_id, charge_id, signed_at desc, (revoked_at is null), evidence_sha256 desc
    ),
    gathered as (
        select
            original_transaction_id,
            charge_id,
            array_agg(distinct transaction_id order by transaction_id) as transaction_ids,
            min(batch_id) as batch_id,
            min(purchased_at) as purchased_at,
            min(original_purchased_at) as original_purchased_at,
            bool_or(transaction_reason = 'RENEWAL') as is_said_renewal,
            bool_or(transaction_id = original_transaction_id) as has_original,
            max(signed_at) filter (where revoked_at is not null) as last_revoked_signed_at,
            (
                array_agg(app_account_token order by signed_at desc, evidence_sha256 desc)
                filter (where app_account_token is not null)
            )[1] as app_account_token,
            (
                array_agg(price_milliunits order by signed_at desc, evidence_sha256 desc)
                filter (where price_milliunits is not null)
            )[1] as price_milliunits,
            (
                array_agg(currency order by signed_at desc, evidence_sha256 desc)
                filter (where currency is not null)
            )[1] as currency,
            (
                array_agg(storefront order by signed_at desc, evidence_sha256 desc)
                filter (where storefront is not null)
            )[1] as storefront,
            -- Receipts of StoreKit 1 tell neither type nor ownership.
            (array_agg(type order by signed_at desc, evidence_sha256 desc) filter (where type is not null))[1] as type,
            (
                array_agg(ownership order by signed_at desc, evidence_sha256 desc)
                filter (where ownership is not null)
            )[1] as ownership,
            (
                array_agg(offer_type order by signed_at desc, evidence_sha256 desc)
                filter (where offer_type is not null)
            )[1] as offer_type
        from observation
        group by original_transaction_id, charge_id
    ),
    reversal as (
        select observation.original_transaction_id, observation.charge_id, min(observation.signed_at) as reversed_at
        from observation
        inner join gathered
            on gathered.original_transaction_id = observation.original_transaction_id
            and gathered.charge_id = observation.charge_id
        where observation.revoked_at is null
            and observation.signed_at > gathered.last_revoked_signed_at
        group by observation.original_transaction_id, observation.charge_id
    )
    -- Where nothing came later, nothing is compared.
    select charges.*
    from payrecon.charges
    where not (select exists (select from later))
    union all
    select charges.*
    from payrecon.charges
    where (select exists (select from later))
        and not exists (
            select
            from touched
            where touched.original_transaction_id = charges.original_transaction_id
                and touched.charge_id = charges.charge_id
        )
    union all
    select
        newest.original_transaction_id,
        newest.charge_id,
        newest.environment,
        newest.bundle_id,
        newest.product_id,
        known_kind.type,
        case
            when known_kind.ownership <> 'PURCHASED' then 'family'
            when newest.revoked_at is not null and coalesce(newest.revocation_percentage, 100000) < 100000
                then 'partly_refunded'
            when newest.revoked_at is not null then 'refunded'
            when coalesce(
                gathered.price_milliunits, case when newest.offer_discount_type = 'FREE_TRIAL' then 0 end
            ) = 0 then 'free'
            else 'charged'
        end,
        known_kind.ownership,
        newest.web_order_line_item_id,
        gathered.app_account_token,
        gathered.storefront,
        gathered.currency,
        newest.revocation_type,
        gathered.transaction_ids,
        newest.quantity,
        gathered.offer_type,
        gathered.price_milliunits,
        newest.refunded_milliunits,
        gathered.batch_id,
        known_kind.type = 'auto_renewable' and coalesce(gathered.is_said_renewal, not gathered.has_original),
        newest.is_upgraded,
        -- A restored purchase has a new instant and was paid at its first one.
        case
            when known_kind.type = 'auto_renewable' then gathered.purchased_at
            else least(gathered.purchased_at, gathered.original_purchased_at)
        end,
        newest.expires_at,
        newest.revoked_at,
        reversal.reversed_at,
        newest.signed_at
    from newest
    inner join gathered
        on gathered.original_transaction_id = newest.original_transaction_id
        and gathered.charge_id = newest.charge_id
    cross join lateral (
        select
            coalesce(
                gathered.type,
                case
                    when newest.web_order_line_item_id is not null or newest.expires_at is not null
                        then 'auto_renewable'
                    else 'consumable'
                end
            ) as type,
            coalesce(gathered.ownership, 'PURCHASED') as ownership
    ) as known_kind
    left join reversal
        on reversal.original_transaction_id = newest.original_transaction_id
        and reversal.charge_id = newest.charge_id
$$;

-- Subscriptions of a clock rest on the charges, orders, users, products and matches of that clock.
do $$
declare
    definition text := pg_get_functiondef('payrecon.subscriptions_at(timestamptz)'::regprocedure);
    part text;
begin
    definition := replace(definition, 'left join payrecon.claims on', 'left join payrecon.matches_at(clock) as claims on');
    foreach part in array array['users', 'orders', 'charges', 'products'] loop
        definition := regexp_replace(
            definition, format('(from|join) payrecon\.%s\M', part), format('\1 payrecon.%1$s_at(clock) as %1$s', part),
            'g'
        );
    end loop;
    execute definition;
end
$$;

-- Each view asks with the rights of whoever looks, so that everybody may look.
create schema payrecon_past;
grant usage on schema payrecon_past to public;
alter default privileges in schema payrecon_past grant select on tables to public;

create function payrecon_past.clock() returns timestamptz
language sql stable parallel safe
as $$
    select current_setting('payrecon.as_of')::timestamptz
$$;

do $$
declare
    part text;
begin
    -- Tables whose newest state alone is kept, and those of which rows end.
    foreach part in array array[
        'orders', 'users', 'products', 'catalogue_prices', 'charges', 'matches', 'refused_claims', 'second_charges',
        'ambiguous_candidates', 'pending_breaks'
    ] loop
        execute format(
            'create view payrecon_past.%1$I with (security_invoker = true) as select * from payrecon.%2$I(payrecon_past.clock())',
            part, part || '_at'
        );
    end loop;
    -- Facts that are only added to, by the batch that brought them.
    foreach part in array array[
        'evidence', 'sightings', 'unrecognized_values', 'transactions', 'renewal_infos', 'notifications', 'match_keys',
        'parked_items'
    ] loop
        execute format(
            'create view payrecon_past.%1$I with (security_invoker = true) as select %1$I.* from payrecon.%1$I where not exists ('
            || 'select from payrecon.batches where batches.batch_id = %1$I.batch_id and batches.known_at > payrecon_past.clock())',
            part
        );
    end loop;
    -- What has a clock of its own.
    foreach part in array array[
        'break_events as_of', 'signal_events as_of', 'detections as_of', 'runs as_of', 'batches known_at',
        'parked_outcomes decided_at'
    ] loop
        execute format(
            'create view payrecon_past.%1$I with (security_invoker = true) as select * from payrecon.%1$I where %2$I <= payrecon_past.clock()',
            split_part(part, ' ', 1), split_part(part, ' ', 2)
        );
    end loop;
end
$$;

create view payrecon_past.claims with (security_invoker = true) as
select matches.order_id, matches.charge_id, matches.original_transaction_id
from payrecon.matches_at(payrecon_past.clock()) as matches;

create view payrecon_past.ended_matches with (security_invoker = true) as
select ended_matches.*
from payrecon.ended_matches
where ended_matches.valid_to <= payrecon_past.clock();

create view payrecon_past.order_versions with (security_invoker = true) as
select order_versions.*
from payrecon.order_versions
where not exists (
    select
    from payrecon.batches
    where batches.batch_id in (order_versions.batch_id, order_versions.replaced_by_batch_id)
        and batches.known_at > payrecon_past.clock()
);

create view payrecon_past.evidence_links with (security_invoker = true) as
select evidence_links.*
from payrecon.evidence_links
where exists (
    select from payrecon_past.evidence where evidence.sha256 = evidence_links.parent_sha256
);

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

-- Every case at a clock: what it is about, who has it, and what was decided and not taken back.
create or replace function payrecon.cases_at(clock timestamptz) returns table (
    case_id text, status text, subject_kind text, subject_id text, rank integer, signal_count bigint,
    break_count bigint, names text, amount_milliunits bigint, currency text, opened_at timestamptz,
    due_at timestamptz, taken_by text, lease_until timestamptz, action text, outcome text, reason text,
    decided_by text, decided_at timestamptz, approved_by text, approved_at timestamptz
)
language sql stable parallel safe
as $$
    with undone as (
        select case_undos.case_id, case_undos.decision_id
        from payrecon.case_undos
        where case_undos.step = 'effective'
            and case_undos.at <= clock
    ),
    -- A second person is asked whether a decision is to be undone.
    asked as (
        select distinct on (case_undos.case_id) case_undos.*
        from payrecon.case_undos
        where case_undos.step = 'proposed'
            and case_undos.at <= clock
            and not exists (
                select
                from payrecon.case_undos as later
                where later.case_id = case_undos.case_id
                    and later.decision_id = case_undos.decision_id
                    and later.undo_id = case_undos.undo_id
                    and later.step <> 'proposed'
                    and later.at <= clock
            )
        order by case_undos.case_id asc, case_undos.at desc, case_undos.undo_id asc
    ),
    last_word as (
        select distinct on (case_decisions.case_id) case_decisions.*
        from payrecon.case_decisions
        where case_decisions.at <= clock
            and not exists (
                select
                from undone
                where undone.case_id = case_decisions.case_id
                    and undone.decision_id = case_decisions.decision_id
            )
        order by case_decisions.case_id asc, case_decisions.at desc, (case_decisions.step = 'proposed') asc,
            case_decisions.decision_id asc
    ),
    proposal as (
        select case_decisions.case_id, case_decisions.decision_id, case_decisions.at
        from payrecon.case_decisions
        where case_decisions.step = 'proposed'
    ),
    closing as (
        select case_decisions.case_id, max(coalesce(proposal.at, case_decisions.at)) as at
        from payrecon.case_decisions
        left join proposal
            on proposal.case_id = case_decisions.case_id
            and proposal.decision_id = case_decisions.decision_id
        where case_decisions.step = 'effective'
            and case_decisions.at <= clock
            and not exists (
                select
                from undone
                where undone.case_id = case_decisions.case_id
                    and undone.decision_id = case_decisions.decision_id
            )
        group by case_decisions.case_id
    ),
    lease as (
        select distinct on (case_events.case_id) case_events.*
        from payrecon.case_events
        where case_events.at <= clock
        order by case_events.case_id asc, case_events.at desc, (case_events.action = 'taken') asc,
            case_events.person asc
    ),
    item as (
        select
            items.*,
            items.is_open and items.since_at > coalesce(closing.at, '-infinity') as is_waiting
        from payrecon.case_items_at(clock) as items
        left join closing on closing.case_id = items.case_id
    ),
    gathered as (
        select
            item.case_id,
            min(item.subject_kind) as subject_kind,
            min(item.subject_id) as subject_id,
            bool_or(item.is_waiting) as is_waiting,
            max(item.rank) filter (where item.is_open) as rank,
            count(*) filter (where item.is_open and item.item_kind = 'signal') as signal_count,
            count(*) filter (where item.is_open and item.item_kind = 'break') as break_count,
            string_agg(distinct item.name collate "C", ' ' order by item.name collate "C")
                filter (where item.is_open) as names,
            case
                when min(item.currency) filter (where item.is_open) = max(item.currency) filter (where item.is_open)
                    then max(item.amount_milliunits) filter (where item.is_open)
            end as amount_milliunits,
            case
                when min(item.currency) filter (where item.is_open) = max(item.currency) filter (where item.is_open)
                    then min(item.currency) filter (where item.is_open)
            end as currency,
            min(item.opened_at) as opened_at,
            min(item.due_at) filter (where item.is_waiting) as due_at
        from item
        group by item.case_id
    )
    select
        gathered.case_id,
        case
            when asked.case_id is not null or last_word.step = 'proposed' then 'waiting_approval'
            when lease.action = 'taken' and lease.lease_until > clock and gathered.is_waiting then 'taken'
            when gathered.is_waiting then 'open'
            when last_word.step = 'effective' then 'closed'
            else 'lapsed'
        end,
        gathered.subject_kind, gathered.subject_id, coalesce(gathered.rank, 0), gathered.signal_count,
        gathered.break_count, gathered.names, gathered.amount_milliunits, gathered.currency, gathered.opened_at,
        gathered.due_at,
        case when lease.action = 'taken' and lease.lease_until > clock then lease.person end,
        case when lease.action = 'taken' and lease.lease_until > clock then lease.lease_until end,
        case when asked.case_id is not null then 'undo' else last_word.action end, last_word.outcome,
        coalesce(asked.reason, last_word.reason), coalesce(asked.asked_by, last_word.decided_by),
        coalesce(asked.at, proposal.at, last_word.at),
        case when asked.case_id is null then last_word.approved_by end,
        case when asked.case_id is null and last_word.approved_by is not null then last_word.at end
    from gathered
    left join last_word on last_word.case_id = gathered.case_id
    left join asked on asked.case_id = gathered.case_id
    left join proposal
        on proposal.case_id = last_word.case_id
        and proposal.decision_id = last_word.decision_id
    left join lease on lease.case_id = gathered.case_id
$$;

-- What each role may do with what this migration adds, on top of all before it.
alter procedure payrecon.grant_roles() rename to grant_roles_before_known_at;
create procedure payrecon.grant_roles()
language plpgsql
as $$
begin
    call payrecon.grant_roles_before_known_at();
    if exists (select from pg_roles where rolname = 'payrecon_jobs') then
        grant insert on
            payrecon.user_versions, payrecon.product_versions, payrecon.catalogue_price_versions,
            payrecon.ended_refused_claims, payrecon.ended_second_charges, payrecon.ended_ambiguous_candidates
        to payrecon_jobs;
    end if;
    if exists (select from pg_roles where rolname = 'payrecon_erase') then
        grant update (user_id) on payrecon.user_versions to payrecon_erase;
        grant update (case_id) on payrecon.case_undos to payrecon_erase;
    end if;
    if exists (select from pg_roles where rolname = 'payrecon_review') then
        grant insert on payrecon.case_undos to payrecon_review;
    end if;
end
$$;
call payrecon.grant_roles();

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
