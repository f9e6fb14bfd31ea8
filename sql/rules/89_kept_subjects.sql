-- purpose: gives a finding on a group, or on a user with merged accounts, the subject of its open signal. That signal has no
--          finding, and a reviewer acted on its case. A group that gains or loses the member that identifies it stays the same
--          group for the reviewer. Other subjects depend on the facts alone, whatever the order of arrival.
-- parameters: as_of (timestamptz)
-- grain:   one row per finding with another subject than its open signal
with found_member as materialized (
    select signal_found.rule, signal_found.subject_kind, signal_found.subject_id, member.user_id as member
    from signal_found
    cross join lateral json_array_elements_text(signal_found.inputs::json -> 'user_ids') as member (user_id)
    where signal_found.subject_kind = 'ring'
    union
    select signal_found.rule, signal_found.subject_kind, signal_found.subject_id, rule_person.person
    from signal_found
    inner join rule_person on rule_person.user_id = signal_found.subject_id
    where signal_found.subject_kind = 'user'
        -- A blocked user is a subject by name.
        and signal_found.user_id is null
        and rule_person.person <> rule_person.user_id
),
reviewed_event as materialized (
    select event.rule, event.subject_kind, event.subject_id, event.inputs
    from open_signal_events as event
    where case_id_of_signal(event.user_id, event.subject_kind, event.subject_id) in (
        select act.case_id from case_acts as act where act.at <= :'as_of'::timestamptz
    )
),
open_member as materialized (
    select event.rule, event.subject_kind, event.subject_id, member.user_id as member
    from reviewed_event as event
    cross join lateral json_array_elements_text(event.inputs::json -> 'user_ids') as member (user_id)
    where event.subject_kind = 'ring'
    union
    select event.rule, event.subject_kind, event.subject_id, rule_person.person
    from reviewed_event as event
    inner join rule_person on rule_person.user_id = event.subject_id
    where event.subject_kind = 'user'
        and rule_person.person <> rule_person.user_id
),
successor as (
    select
        found_member.rule, found_member.subject_kind, found_member.subject_id, open_member.subject_id as kept_id,
        count(*) as member_count
    from found_member
    inner join open_member using (rule, subject_kind, member)
    where (open_member.rule, open_member.subject_kind, open_member.subject_id)
            not in (select found_member.rule, found_member.subject_kind, found_member.subject_id from found_member)
        and (found_member.rule, found_member.subject_kind, found_member.subject_id)
            not in (select open_member.rule, open_member.subject_kind, open_member.subject_id from open_member)
    group by found_member.rule, found_member.subject_kind, found_member.subject_id, open_member.subject_id
),
kept as (
    select distinct on (largest.rule, largest.subject_kind, largest.kept_id) largest.*
    from (
        select distinct on (successor.rule, successor.subject_kind, successor.subject_id) successor.*
        from successor
        order by
            successor.rule, successor.subject_kind, successor.subject_id, successor.member_count desc, successor.kept_id
    ) as largest
    order by largest.rule, largest.subject_kind, largest.kept_id, largest.member_count desc, largest.subject_id
)
update signal_found
set subject_id = kept.kept_id
from kept
where signal_found.rule = kept.rule
    and signal_found.subject_kind = kept.subject_kind
    and signal_found.subject_id = kept.subject_id;
