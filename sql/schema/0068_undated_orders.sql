-- purpose: an order row that does not say when it was changed counts by the clock under which it was read; and under which clocks
--          such rows were read again.

-- Null where the row says by itself when it was changed (updated_at).
alter table payrecon.orders add column told_at timestamptz;

-- Orders of a chunk of which rows without a date of their own told what was known: an order that is repeated each night is not
-- written each night. The same orders told once more are the same row.
create table payrecon.order_readings (
    ids_hash text collate "C" not null,
    first_id text collate "C" not null,
    last_id text collate "C" not null,
    told_at timestamptz not null,
    ids text[] not null,
    constraint order_readings_pkey primary key (ids_hash)
);
create index order_readings_told on payrecon.order_readings (told_at);
