-- purpose: a detect run that looks at everything does so in pieces, each in a transaction of its own: what was found, until one
--          transaction makes of it what stands; and which classes look at the world as a whole.

-- As detect_judged (sql/detect/90_judged.sql).
create table payrecon.piece_breaks (
    break_id text collate "C" not null,
    family text collate "C" not null,
    severity text collate "C" not null,
    class text collate "C" not null,
    subject_id text collate "C" not null,
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
    is_delivered boolean,
    is_pending boolean not null,
    piece integer not null,
    constraint piece_breaks_pkey primary key (break_id, piece)
);
-- The file of sql/detect/classes that finds breaks of the class in all there is at once; null where what hangs together says all.
alter table payrecon.break_classes
add column whole_by text collate "C";
