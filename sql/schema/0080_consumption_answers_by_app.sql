-- purpose: the app and environment of the transaction whose consumption request was answered.
alter table payrecon.consumption_answers
add column bundle_id text collate "C" not null default '',
add column environment text collate "C" not null default 'Production';
do $$
begin
    grant update on payrecon.consumption_answers to payrecon_migrate;
exception
    when undefined_object then null;
end
$$;
update payrecon.consumption_answers
set
    bundle_id = app.bundle_id,
    environment = app.environment
from (
    select distinct on (transactions.transaction_id) transactions.transaction_id, transactions.bundle_id, transactions.environment
    from payrecon.transactions
    order by transactions.transaction_id, transactions.environment = 'Production' desc, transactions.bundle_id
) as app
where app.transaction_id = consumption_answers.transaction_id;
do $$
begin
    revoke update on payrecon.consumption_answers from payrecon_migrate;
exception
    when undefined_object then null;
end
$$;
alter table payrecon.consumption_answers drop constraint consumption_answers_pkey;
alter table payrecon.consumption_answers
add constraint consumption_answers_pkey primary key (transaction_id, bundle_id, environment, answered_at);
