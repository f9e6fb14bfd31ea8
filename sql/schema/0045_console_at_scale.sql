-- purpose: what the console reads stays little, whatever the number of cases: which cases changed since they were gathered,
--          where each open break stands in its list, and indexes by which people filter.

-- Cases that are to be gathered anew: those about which somebody said something, and those of which a detection said
-- something new, with the break or signal. A row goes when its case was gathered.
create table payrecon.console_changed (
    number bigint generated always as identity,
    case_id text collate "C" not null,
    item_id text collate "C",
    at timestamptz not null,
    constraint console_changed_pkey primary key (number)
);
create index console_changed_by_case on payrecon.console_changed (case_id);

-- What people said is told by that table from here on.
delete from payrecon.console_gathered;
delete from payrecon.console_cases;
alter table payrecon.console_cases drop column said_count;
-- The latest detection that the cases were gathered from.
alter table payrecon.console_gathered add column detected_at timestamptz;
create index console_cases_by_end on payrecon.console_cases (changes_at) where changes_at is not null;

-- Filters of the queue: what is rare is found by itself, what is frequent on the way along the queue.
create index console_cases_by_rank on payrecon.console_cases (rank, place) where status in ('open', 'waiting_approval');
create index console_cases_by_age on payrecon.console_cases (opened_at) where status in ('open', 'waiting_approval');
create index console_cases_by_amount on payrecon.console_cases (amount_milliunits)
where status in ('open', 'waiting_approval');
create index console_cases_by_words on payrecon.console_cases using gin (names, bundle_ids, storefronts, teams)
where status in ('open', 'waiting_approval');
create index case_leases_by_end on payrecon.case_leases (lease_until);

-- What people did, by when, by whom and by the breaks that it is about.
create index case_decisions_by_time on payrecon.case_decisions (at) where step = 'effective';
create index case_decisions_by_break on payrecon.case_decisions using gin (break_ids)
where action in ('accept', 'dismiss', 'write_off');
create index case_marks_following on payrecon.case_marks (account, case_id) where topic = 'following';

-- Where an open break stands among the others: most severe first, then oldest (sql/functions/break_place.sql).
alter table payrecon.open_breaks add column place text collate "C";
alter table payrecon.open_breaks add column class text collate "C";
alter table payrecon.open_breaks add column bundle_id text collate "C";
update payrecon.open_breaks
set
    class = break_events.class,
    bundle_id = break_events.bundle_id,
    place = concat_ws(
        '|',
        case break_events.severity when 'critical' then 5 when 'high' then 6 when 'medium' then 7 when 'low' then 8 else 9 end,
        to_char(break_events.opened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), break_events.break_id
    )
from payrecon.break_events
where break_events.break_id = open_breaks.break_id
    and break_events.as_of = open_breaks.as_of
    and break_events.attempt = open_breaks.attempt;
create index open_breaks_place on payrecon.open_breaks (place);
create index open_breaks_class on payrecon.open_breaks (class, place);
create index open_breaks_app on payrecon.open_breaks (bundle_id, place);

create index uploads_order on payrecon.uploads (order_id) where order_id <> '';
