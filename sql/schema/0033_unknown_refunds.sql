-- purpose: how much of a charge Apple gave back is unknown where its price is: an app receipt tells of a refund without money.
--          What transactions said before stays as it was written down: nobody may change them.
alter table payrecon.transactions alter column refunded_milliunits drop not null;
alter table payrecon.charges alter column refunded_milliunits drop not null;
update payrecon.charges set refunded_milliunits = null
where revoked_at is not null and price_milliunits is null and ownership = 'PURCHASED';
