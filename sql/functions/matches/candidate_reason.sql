-- purpose: Returns why an ambiguous charge may belong to an order, as a phrase.
-- parameters: tie (text): how the order's user is tied to the charge: device, owner or uploader
create or replace function payrecon.candidate_reason(
    tie text, product_id text, quantity integer, delay_seconds bigint
) returns jsonb
language sql immutable parallel safe
return payrecon.phrase('detail.candidate_reason', jsonb_build_object(
    'who', payrecon.phrase(
        case tie
            when 'device' then 'detail.tied_by_device'
            when 'owner' then 'detail.tied_by_owner'
            when 'uploader' then 'detail.tied_by_uploader'
        end
    ),
    'product', product_id, 'count', quantity, 'seconds', delay_seconds
));
