-- purpose: Returns the text for a notification type; a type without a text is returned as is.
create or replace function payrecon.notification_words(type text, subtype text) returns text
language sql immutable parallel safe
as $$
    select coalesce(
        case type || ' ' || subtype
            when 'SUBSCRIBED RESUBSCRIBE' then 'subscribed again'
            when 'DID_RENEW BILLING_RECOVERY' then 'renewed after a failed charge'
            when 'DID_FAIL_TO_RENEW GRACE_PERIOD' then 'renewal failed, access goes on in a grace period'
            when 'DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_ENABLED' then 'auto-renew turned on'
            when 'DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED' then 'auto-renew turned off'
            when 'DID_CHANGE_RENEWAL_PREF UPGRADE' then 'upgraded'
            when 'DID_CHANGE_RENEWAL_PREF DOWNGRADE' then 'downgrade at the next renewal'
            when 'EXPIRED VOLUNTARY' then 'expired, the customer had turned auto-renew off'
            when 'EXPIRED BILLING_RETRY' then 'expired, Apple could not charge'
            when 'EXPIRED PRICE_INCREASE' then 'expired, the customer did not agree to the price'
            when 'EXPIRED PRODUCT_NOT_FOR_SALE' then 'expired, the product is not for sale'
        end,
        case type
            when 'SUBSCRIBED' then 'subscribed'
            when 'ONE_TIME_CHARGE' then 'purchased'
            when 'DID_RENEW' then 'renewed'
            when 'DID_FAIL_TO_RENEW' then 'renewal failed'
            when 'GRACE_PERIOD_EXPIRED' then 'grace period ended'
            when 'EXPIRED' then 'expired'
            when 'RENEWAL_EXTENDED' then 'renewal date extended'
            when 'CONSUMPTION_REQUEST' then 'refund requested, Apple asks what was consumed'
            when 'REFUND' then 'refund granted'
            when 'REFUND_DECLINED' then 'refund declined'
            when 'REFUND_REVERSED' then 'refund reversed'
            when 'REVOKE' then 'family access ended'
        end || case when subtype = '' then '' else ' (' || subtype || ')' end,
        type || case when subtype = '' then '' else ' (' || subtype || ')' end
    )
$$;
