-- purpose: which purchases one history of Apple's told together: they are one customer's, also where Apple says no id of the
--          customer, so that each customer is asked about once, and from where the last answer ended.

-- customer_id: what the customer's progress is kept under: an id of Apple's, or one of the purchases.
create table payrecon.customer_purchases (
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    original_transaction_id text collate "C" not null,
    customer_id text collate "C" not null,
    constraint customer_purchases_pkey primary key (original_transaction_id, bundle_id, environment)
);
