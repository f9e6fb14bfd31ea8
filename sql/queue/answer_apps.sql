-- purpose: the apps for which Apple requested consumption information about a transaction, each with the environment.
-- parameters: transaction_id (text)
-- grain:   one row per app
select distinct on (request.bundle_id) request.bundle_id, request.environment
from (
    select distinct transactions.original_transaction_id
    from transactions
    where transactions.transaction_id = :'transaction_id'::text
) as named
cross join lateral refund_notices_at('infinity', '-infinity', array[named.original_transaction_id]) as request
where request.type = 'CONSUMPTION_REQUEST'
    and request.transaction_id = :'transaction_id'::text
order by request.bundle_id, request.environment = 'Production' desc, request.environment;
