-- purpose: the state of a charge is a function of the set of what was said of it: every statement is kept with the kind of
--          text it stands in and the instant at which Apple made it, and one function gathers them, now and as of a clock.
-- rules:   a row of a receipt or of an answer has no signature of its own: it is said again by every receipt and answer
--          that lists it, at the instant of that receipt or answer.

-- What is only added to is closed to the owner, too; here each row says more than it did.
do $$
begin
    grant insert, update on payrecon.transactions, payrecon.renewal_infos, payrecon.charges to payrecon_migrate;
exception
    when undefined_object then null;
end
$$;

-- stated_in: transaction (signed by itself), receipt, verify_receipt.
alter table payrecon.transactions add column stated_in text collate "C";
update payrecon.transactions
set stated_in = case
    when evidence.header_sha256 is not null then 'transaction'
    else coalesce(
        (
            select min(parent.kind)
            from payrecon.evidence_links
            inner join payrecon.evidence as parent on parent.sha256 = evidence_links.parent_sha256
            where evidence_links.sha256 = evidence.sha256
                and parent.kind in ('receipt', 'verify_receipt')
        ),
        'transaction'
    )
end
from payrecon.evidence
where evidence.sha256 = transactions.evidence_sha256;
update payrecon.transactions set stated_in = 'transaction' where stated_in is null;
alter table payrecon.transactions alter column stated_in set not null;
alter table payrecon.transactions
add constraint transactions_stated_in check (stated_in in ('transaction', 'receipt', 'verify_receipt'));
-- What does not say how many were bought keeps what another statement says.
alter table payrecon.transactions alter column quantity drop not null;
alter table payrecon.transactions drop constraint transactions_pkey;
alter table payrecon.transactions
add constraint transactions_pkey primary key (original_transaction_id, charge_id, evidence_sha256, signed_at);
insert into payrecon.transactions
select
    transactions.original_transaction_id, transactions.charge_id, transactions.evidence_sha256,
    transactions.transaction_id, transactions.environment, transactions.bundle_id, transactions.product_id,
    transactions.type, transactions.ownership, transactions.web_order_line_item_id, transactions.subscription_group,
    transactions.app_account_token, transactions.transaction_reason, transactions.storefront, transactions.currency,
    transactions.offer_discount_type, transactions.revocation_type, transactions.app_transaction_id,
    transactions.quantity, transactions.offer_type, transactions.price_milliunits, transactions.refunded_milliunits,
    transactions.revocation_percentage, parent.batch_id, transactions.is_upgraded, transactions.purchased_at,
    transactions.original_purchased_at, transactions.expires_at, transactions.revoked_at, parent.signed_at, parent.kind
from payrecon.transactions
inner join payrecon.evidence_links on evidence_links.sha256 = transactions.evidence_sha256
inner join payrecon.evidence as parent on parent.sha256 = evidence_links.parent_sha256
where transactions.stated_in <> 'transaction'
    and parent.kind in ('receipt', 'verify_receipt')
    and parent.verdict = 'genuine'
    and parent.signed_at is not null
on conflict do nothing;

alter table payrecon.renewal_infos drop constraint renewal_infos_pkey;
alter table payrecon.renewal_infos
add constraint renewal_infos_pkey primary key (original_transaction_id, evidence_sha256, signed_at);
insert into payrecon.renewal_infos
select
    renewal_infos.original_transaction_id, renewal_infos.evidence_sha256, renewal_infos.environment,
    renewal_infos.product_id, renewal_infos.auto_renew_product_id, renewal_infos.currency,
    renewal_infos.auto_renew_status, renewal_infos.expiration_intent, renewal_infos.price_increase_status,
    renewal_infos.renewal_price_milliunits, parent.batch_id, renewal_infos.is_in_billing_retry,
    renewal_infos.grace_expires_at, renewal_infos.renewal_at, parent.signed_at
from payrecon.renewal_infos
inner join payrecon.evidence_links on evidence_links.sha256 = renewal_infos.evidence_sha256
inner join payrecon.evidence as parent on parent.sha256 = evidence_links.parent_sha256
where parent.kind = 'verify_receipt'
    and parent.verdict = 'genuine'
    and parent.signed_at is not null
on conflict do nothing;

-- Periods that were told without their line item: few, and looked for wherever a chain is gathered.
create index transactions_without_line_item on payrecon.transactions (original_transaction_id)
where web_order_line_item_id is null and coalesce(type = 'auto_renewable', expires_at is not null);

alter table payrecon.charges add column subscription_group text collate "C";
update payrecon.charges
set subscription_group = told.subscription_group
from (
    select distinct on (original_transaction_id, charge_id) original_transaction_id, charge_id, subscription_group
    from payrecon.transactions
    where subscription_group is not null
    order by original_transaction_id, charge_id, signed_at desc, evidence_sha256 desc
) as told
where told.original_transaction_id = charges.original_transaction_id
    and told.charge_id = charges.charge_id;

do $$
begin
    revoke insert, update on payrecon.transactions, payrecon.renewal_infos from payrecon_migrate;
exception
    when undefined_object then null;
end
$$;
