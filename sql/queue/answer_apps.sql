-- purpose: the apps that have a transaction, each with the environment for consumption requests about it.
-- parameters: transaction_id (text)
-- grain:   one row per app
select distinct on (transactions.bundle_id) transactions.bundle_id, transactions.environment
from transactions
where transactions.transaction_id = :'transaction_id'::text
order by transactions.bundle_id, transactions.environment = 'Production' desc, transactions.environment;
