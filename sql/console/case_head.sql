-- purpose: the summary of a case, if it is in one of an account's inboxes.
-- parameters: case_id, account (text), inboxes (text[]): none for all, as_of (timestamptz)
-- grain:   one row, or none: a missing case and a case outside the inboxes look alike
select
    kept.case_id,
    case
        when kept.status = 'open' and lease.case_id is not null then 'taken'
        else kept.shown_status
    end as status,
    kept.severity, kept.subject_kind, kept.subject_id, kept.about,
    array_to_string(kept.bundle_ids, ' ') as app,
    array_to_string(kept.storefronts, ' ') as storefront,
    kept.at_stake, kept.amount_milliunits, kept.currency,
    rfc3339(kept.opened_at) as opened_at,
    rfc3339(kept.due_at) as due_at,
    lease.person as holder,
    rfc3339(lease.lease_until) as lease_until,
    kept.assignee,
    case when kept.returns_at > :'as_of'::timestamptz then rfc3339(kept.returns_at) end as returns_at,
    kept.proposed_action, kept.proposed_by, rfc3339(kept.proposed_at) as proposed_at, proposal_id(kept.case_id) as proposal_id,
    array_to_string(kept.item_ids, ' ') as item_ids,
    coalesce(lease.account = :'account'::text, false) as is_mine,
    exists (
        select 1
        from marks_at(:'as_of'::timestamptz, array[:'case_id'::text]) as marks
        where marks.topic = 'following'
            and marks.account = :'account'::text
    ) as is_followed
from case_summaries as kept
left join case_leases as lease
    on lease.case_id = kept.case_id
    and lease.lease_until > :'as_of'::timestamptz
where kept.case_id = :'case_id'::text
    and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[]);
