-- purpose: the webhook's queue holds what Apple signed once, however often it is posted; figures of a day say how much the door
--          took of what has a bound of its own, and how much it met again.

-- Of what Apple signed in the post: equal for texts that differ only around it. Null for posts of before.
alter table payrecon.received_notifications add column signed_sha256 text collate "C";
create unique index received_notifications_by_signed on payrecon.received_notifications (signed_sha256);

-- foreign: signed by Apple for another app. receipt: a receipt of ours. repeated: known or waiting already, until a batch takes
-- the figure.
create table payrecon.door_counts (
    day date not null,
    kind text collate "C" not null,
    item_count bigint not null,
    byte_count bigint not null,
    constraint door_counts_pkey primary key (day, kind),
    constraint door_counts_kind check (kind in ('foreign', 'receipt', 'repeated'))
);
