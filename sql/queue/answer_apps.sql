-- purpose: the apps for which Apple requested consumption information about a transaction, each with the environment.
-- parameters: transaction_id (text)
-- grain:   one row per app
with named as materialized (
    select distinct transactions.original_transaction_id
    from transactions
    where transactions.transaction_id = :'transaction_id'::text
)
select distinct on (request.bundle_id) request.bundle_id, request.environment
from refund_notices_at('infinity', '-infinity', array(select named.original_transaction_id from named)) as request
where request.type = 'CONSUMPTION_REQUEST'
    and request.transaction_id = :'transaction_id'::text
order by request.bundle_id, request.environment = 'Production' desc, request.environment;
