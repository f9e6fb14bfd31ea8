-- purpose: the clock of the latest reading that told a user, a product or a price, repeats included, so that a correction of a later
--          day holds; and the kinds of signature that held under the same roots and apps.

-- The clock that a batch was read under; known_at lies behind it where decisions had passed that clock.
alter table payrecon.batches add column read_at timestamptz;

-- Known since batch_id; told at told_at the last time.
alter table payrecon.users add column told_at timestamptz not null default '-infinity';
alter table payrecon.products add column told_at timestamptz not null default '-infinity';
alter table payrecon.catalogue_prices add column told_at timestamptz not null default '-infinity';
update payrecon.users
set told_at = batches.known_at
from payrecon.batches
where batches.batch_id = users.batch_id;
update payrecon.products
set told_at = batches.known_at
from payrecon.batches
where batches.batch_id = products.batch_id;
update payrecon.catalogue_prices
set told_at = batches.known_at
from payrecon.batches
where batches.batch_id = catalogue_prices.batch_id;

-- Signed texts and receipts end in roots of their own: that one holds proves nothing of the other.
create table payrecon.proven_kinds (
    reader_sha256 text collate "C" not null,
    is_receipt boolean not null,
    constraint proven_kinds_pkey primary key (reader_sha256, is_receipt)
);
insert into payrecon.proven_kinds (reader_sha256, is_receipt)
select distinct batches.reader_sha256, evidence.kind = 'receipt'
from payrecon.evidence
inner join payrecon.batches on batches.batch_id = evidence.batch_id
where evidence.verdict = 'genuine'
    and (evidence.kind = 'receipt' or evidence.header_sha256 is not null)
    and batches.reader_sha256 is not null;
