-- purpose: whether an order that names a charge which another order was granted claims it again: delivered twice where it is the
--          same user's (DUP_DELIVERY), replayed where it is somebody else's (REPLAY_MULTI_USER). Such an order does not compete
--          for its user's next purchase. What is wrong with the claim in another way (of another app, say) is no duplicate.
create or replace function payrecon.is_duplicate_claim(refusal text, claimant text, holder text)
returns boolean
language sql immutable parallel safe
return case
    when claimant = holder then coalesce(refusal, 'LATE_VERIFICATION') = 'LATE_VERIFICATION'
    else coalesce(refusal, 'USER_DIFF') in ('USER_DIFF', 'PRODUCT_DIFF', 'LATE_VERIFICATION')
end;
