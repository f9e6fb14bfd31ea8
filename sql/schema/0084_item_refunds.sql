-- purpose: refunds of the items of Advanced Commerce purchases, and since when the newest refund of a charge stands.

-- items_refunded_milliunits: null where no item states a refund.
alter table payrecon.transactions add column items_refunded_milliunits bigint;
-- refunded_since: the first instant stated for the refund that stands; first_revoked_at is that of the first of several partial ones.
alter table payrecon.charges add column refunded_since timestamptz;
drop function if exists payrecon.refunded_milliunits(bigint, bigint, text);
