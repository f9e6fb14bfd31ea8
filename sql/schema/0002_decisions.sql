-- purpose: what payrecon decided: runs, matches, refused claims, ambiguities, breaks; append-only where judgement is recorded.

create table payrecon.runs (
    run_id text collate "C" not null,
    attempt integer not null,
    job text collate "C" not null,
    settings_sha256 text collate "C" not null,
    code_version text collate "C" not null,
    verdict text collate "C",
    message text collate "C",
    counts text collate "C" not null default '{}',
    as_of timestamptz not null,
    started_at timestamptz not null,
    ended_at timestamptz,
    constraint runs_pkey primary key (run_id, attempt),
    constraint runs_end check ((verdict is null) = (ended_at is null)),
    constraint runs_verdict check (
        verdict in ('clean', 'pending', 'warnings', 'breaks', 'incomplete', 'failed')
    )
);

-- The active match of a charge; its twin in payrecon.claims is the active match of the order. Never updated.
create table payrecon.matches (
    original_transaction_id text collate "C" not null,
    charge_id text collate "C" not null,
    order_id text collate "C" not null,
    rung text collate "C" not null,
    run_id text collate "C" not null,
    confidence text collate "C" not null,
    valid_from timestamptz not null,
    constraint matches_pkey primary key (original_transaction_id, charge_id),
    constraint matches_rung check (rung in ('M1', 'M2', 'M3', 'M4', 'M5', 'M6')),
    constraint matches_confidence check (confidence in ('exact', 'derived', 'heuristic'))
);

create table payrecon.claims (
    order_id text collate "C" not null,
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    constraint claims_pkey primary key (order_id)
);

-- Matches that a later decision ended; with payrecon.matches the whole history.
create table payrecon.ended_matches (
    original_transaction_id text collate "C" not null,
    charge_id text collate "C" not null,
    order_id text collate "C" not null,
    rung text collate "C" not null,
    run_id text collate "C" not null,
    ended_run_id text collate "C" not null,
    confidence text collate "C" not null,
    valid_from timestamptz not null,
    valid_to timestamptz not null,
    constraint ended_matches_pkey primary key (original_transaction_id, charge_id, order_id, rung, valid_from, valid_to)
);

-- Why an order without match was refused what it claims; a projection of the latest match run.
create table payrecon.refused_claims (
    order_id text collate "C" not null,
    class text collate "C" not null,
    rung text collate "C" not null,
    charge_id text collate "C",
    evidence_sha256 text collate "C",
    counterpart text collate "C",
    is_explicit boolean not null,
    constraint refused_claims_pkey primary key (order_id)
);

-- Ranked candidates of charges that more than one pairing would fit; a projection of the latest match run.
create table payrecon.ambiguous_candidates (
    original_transaction_id text collate "C" not null,
    charge_id text collate "C" not null,
    order_id text collate "C" not null,
    contributions text collate "C" not null,
    rank integer not null,
    constraint ambiguous_candidates_pkey primary key (original_transaction_id, charge_id, order_id)
);

-- Charges without order that reach an order which another charge paid; a projection of the latest match run.
create table payrecon.second_charges (
    original_transaction_id text collate "C" not null,
    charge_id text collate "C" not null,
    order_id text collate "C" not null,
    constraint second_charges_pkey primary key (original_transaction_id, charge_id)
);

-- The closed list of break classes (PRODUCT.md 5); a family is what keeps one break id while its class changes.
create table payrecon.break_classes (
    class text collate "C" not null,
    family text collate "C" not null,
    severity text collate "C" not null,
    owner_team text collate "C" not null,
    runbook text collate "C" not null,
    priority integer not null,
    due_hours integer not null,
    constraint break_classes_pkey primary key (class),
    constraint break_classes_severity check (severity in ('low', 'medium', 'high', 'critical'))
);

insert into payrecon.break_classes (family, priority, class, severity, due_hours, owner_team, runbook) values
    ('order_claim', 10, 'FORGED_SIGNATURE', 'critical', 24, 'fraud', 'hold the order, keep the evidence, look for more uploads by this user and device'),
    ('order_claim', 20, 'BUNDLE_DIFF', 'high', 24, 'fraud', 'the purchase belongs to another app: take the goods back, let the other app settle it'),
    ('order_claim', 30, 'APP_ID_DIFF', 'high', 24, 'fraud', 'the notification names another app id: check the app''s settings, then treat as another app''s purchase'),
    ('order_claim', 40, 'PROD_IN_SANDBOX', 'medium', 72, 'engineering', 'a paid purchase was booked on a sandbox order: book it on a production order'),
    ('order_claim', 50, 'SANDBOX_IN_PROD', 'high', 24, 'fraud', 'nothing was paid: take the goods back, or list the user as tester or the window as review'),
    ('order_claim', 60, 'REPLAY_MULTI_USER', 'critical', 24, 'fraud', 'one purchase claimed by two users: keep the owner''s order, hold the other, open a case'),
    ('order_claim', 70, 'USER_DIFF', 'high', 48, 'fraud', 'the purchase names another user: ask support which account paid'),
    ('order_claim', 80, 'PRODUCT_DIFF', 'high', 24, 'fraud', 'the purchase is of another product: deliver what Apple sold, correct the order'),
    ('order_claim', 90, 'DUP_DELIVERY', 'high', 48, 'operations', 'one purchase was delivered twice: take the second delivery back'),
    ('order_claim', 100, 'LATE_VERIFICATION', 'medium', 72, 'fraud', 'an old purchase was presented late: ask for the reason before delivering'),
    ('order_claim', 110, 'RENEWAL_MISSING', 'medium', 72, 'operations', 'a renewal was booked or due and Apple did not charge it: read the subscription status'),
    ('order_claim', 120, 'ORDER_NO_TX', 'high', 48, 'operations', 'find the transaction by the customer''s Apple order number, or take the goods back'),
    ('order_claim', 115, 'GHOST_TX', 'critical', 24, 'fraud', 'Apple does not know the transaction: take the goods back, open a case'),
    ('charge_open', 10, 'AMBIGUOUS_MATCH', 'medium', 48, 'operations', 'choose the order by hand from the ranked candidates'),
    ('charge_open', 20, 'DUP_CHARGE', 'high', 24, 'support', 'the customer paid one order twice: deliver again or help with a refund'),
    ('charge_open', 30, 'REFUND_NO_ORDER', 'low', 120, 'finance', 'a refund of a purchase that no order knows: book the reversal'),
    ('charge_open', 40, 'RENEWAL_NO_ORDER', 'medium', 72, 'operations', 'book the renewal order and extend the access'),
    ('charge_open', 50, 'TX_NO_ORDER', 'high', 48, 'support', 'the customer paid and no order knows: find the user, create the order, deliver'),
    ('delivery', 10, 'PAID_NOT_DELIVERED', 'high', 24, 'operations', 'deliver the order'),
    ('amount', 10, 'CURRENCY_DIFF', 'medium', 72, 'finance', 'correct the order''s currency to the storefront''s'),
    ('amount', 20, 'AMOUNT_DIFF', 'medium', 72, 'finance', 'correct the order''s price, or look for an offer or price change'),
    ('quantity', 10, 'QUANTITY_DIFF', 'high', 48, 'operations', 'deliver the quantity that Apple charged'),
    ('refund', 10, 'REFUND_NOT_APPLIED', 'high', 48, 'operations', 'Apple gave the money back: revoke the goods and mark the order refunded'),
    ('refund', 20, 'REFUND_REVERSED_NOT_APPLIED', 'high', 48, 'operations', 'Apple took the refund back: restore what was removed'),
    ('refund', 30, 'REFUND_ONLY_OURS', 'medium', 72, 'finance', 'we refunded, Apple did not: check who paid the customer'),
    ('entitlement', 10, 'ENTITLEMENT_OVERRUN', 'medium', 72, 'operations', 'end the access at Apple''s expiry'),
    ('entitlement', 20, 'ENTITLEMENT_SHORT', 'medium', 48, 'operations', 'extend the access to Apple''s expiry'),
    ('identity', 10, 'ID_CONFLICT', 'high', 48, 'engineering', 'one line item with two identities: compare the signed transactions, ask Apple'),
    ('catalogue', 10, 'FAMILY_NOT_SHAREABLE', 'medium', 72, 'operations', 'access came by family sharing of a product that is not shareable: check the product in App Store Connect'),
    ('catalogue', 20, 'PRICE_OFF_CATALOG', 'low', 120, 'finance', 'compare with the price schedule in App Store Connect and load the missing price'),
    ('input', 10, 'UNRECOGNIZED_VALUE', 'low', 168, 'engineering', 'Apple sent a value this version does not know: the item is kept raw, update payrecon'),
    ('input', 20, 'MISSED_NOTIFICATION', 'low', 168, 'engineering', 'check the notification endpoint and its answers'),
    ('input', 30, 'STALE_INPUT', 'medium', 24, 'engineering', 'an input is older than allowed: look at the job that delivers it'),
    ('tieout', 10, 'CELL_DIFF', 'medium', 120, 'finance', 'compare the cell''s transactions with Apple''s rows'),
    ('tieout', 20, 'L3_NO_L1', 'high', 120, 'finance', 'Apple paid for a sale that no evidence shows'),
    ('tieout', 30, 'LATE_SETTLE', 'low', 720, 'finance', 'settled in a later period: carry forward'),
    ('tieout', 40, 'NEVER_COLLECTED', 'medium', 720, 'finance', 'Apple never collected: write off'),
    ('tieout', 50, 'REFUND_UNSEEN', 'medium', 120, 'finance', 'Apple''s report shows a refund that no notification told'),
    ('tieout', 60, 'PAYMENT_DIFF', 'high', 120, 'finance', 'the payment differs from what Apple reported'),
    ('tieout', 70, 'FX_RATE_ROUNDING', 'low', 720, 'finance', 'rounding of the printed rate');

-- One row each time a break opens, changes or resolves; the newest is its state. Append-only.
create table payrecon.break_events (
    break_id text collate "C" not null,
    attempt integer not null,
    family text collate "C" not null,
    subject_id text collate "C" not null,
    class text collate "C" not null,
    severity text collate "C" not null,
    bundle_id text collate "C",
    environment text collate "C",
    order_id text collate "C",
    charge_id text collate "C",
    transaction_id text collate "C",
    user_id text collate "C",
    currency text collate "C",
    detail text collate "C" not null,
    run_id text collate "C" not null,
    amount_milliunits bigint,
    is_open boolean not null,
    as_of timestamptz not null,
    opened_at timestamptz not null,
    constraint break_events_pkey primary key (break_id, as_of, attempt)
);

-- Differences inside their grace time, with the instant at which they become breaks; a projection of the latest detect run.
create table payrecon.pending_breaks (
    break_id text collate "C" not null,
    family text collate "C" not null,
    subject_id text collate "C" not null,
    class text collate "C" not null,
    bundle_id text collate "C",
    environment text collate "C",
    order_id text collate "C",
    charge_id text collate "C",
    transaction_id text collate "C",
    user_id text collate "C",
    currency text collate "C",
    detail text collate "C" not null,
    amount_milliunits bigint,
    breaks_at timestamptz not null,
    valid_from timestamptz not null,
    constraint pending_breaks_pkey primary key (break_id)
);

-- Differences that were inside their grace time before, with the clocks between which they were.
create table payrecon.ended_pending_breaks (
    break_id text collate "C" not null,
    family text collate "C" not null,
    subject_id text collate "C" not null,
    class text collate "C" not null,
    bundle_id text collate "C",
    environment text collate "C",
    order_id text collate "C",
    charge_id text collate "C",
    transaction_id text collate "C",
    user_id text collate "C",
    currency text collate "C",
    detail text collate "C" not null,
    amount_milliunits bigint,
    breaks_at timestamptz not null,
    valid_from timestamptz not null,
    valid_to timestamptz not null,
    constraint ended_pending_breaks_pkey primary key (break_id, valid_from, valid_to)
);

-- Every as-of at which detect finished: what "new" and "persisting" are measured against.
create table payrecon.detections (
    as_of timestamptz not null,
    run_id text collate "C" not null,
    constraint detections_pkey primary key (as_of)
);
