-- purpose: what the ids that an order and a charge name of each other lead to is found by indexes of the facts themselves: the table that
--          said it once more goes. The indexes are made one by one and together take a sixth of what goes.
drop view if exists payrecon_past.match_keys;
drop table payrecon.match_keys;

create index transactions_transaction on payrecon.transactions (transaction_id);
create index charges_line_item on payrecon.charges (web_order_line_item_id) where web_order_line_item_id is not null;
create index orders_transaction on payrecon.orders (transaction_id) where transaction_id is not null;
create index orders_original on payrecon.orders (original_transaction_id) where original_transaction_id is not null;
create index orders_line_item on payrecon.orders (web_order_line_item_id) where web_order_line_item_id is not null;
create index orders_evidence on payrecon.orders (evidence_sha256) where evidence_sha256 is not null;
create index order_versions_transaction on payrecon.order_versions (transaction_id) where transaction_id is not null;
create index order_versions_original on payrecon.order_versions (original_transaction_id) where original_transaction_id is not null;
create index order_versions_line_item on payrecon.order_versions (web_order_line_item_id) where web_order_line_item_id is not null;
create index order_versions_evidence on payrecon.order_versions (evidence_sha256) where evidence_sha256 is not null;

-- Nobody looks a user up by the token of the users file: tokens have a table of their own.
drop index payrecon.users_token;

-- Hashes are looked up whole, never in an order: what a hash index holds of one are 4 bytes. Of what lies in what each pair is added by
-- whoever stores evidence, which one transaction does at a time.
drop index payrecon.notifications_evidence;
create index notifications_evidence on payrecon.notifications using hash (evidence_sha256);
drop index payrecon.evidence_links_parent;
create index evidence_links_parent on payrecon.evidence_links using hash (parent_sha256);
alter table payrecon.evidence_links drop constraint evidence_links_pkey;
create index evidence_links_sha256 on payrecon.evidence_links using hash (sha256);

-- A day's charges of a product are many: their day stands in the index once.
drop index payrecon.charges_product;
create index charges_product on payrecon.charges (product_id, bundle_id, ((purchased_at at time zone 'UTC')::date));
