-- purpose: Apple's day follows a time zone with its rules, not one hour all year. A tie-out keeps the zone of each storefront and the
--          runner-up. An hour that an earlier tie-out learned becomes the zone of that hour; POSIX counts these zones westward.
alter table payrecon.storefronts add column zone text collate "C" not null default 'UTC';
alter table payrecon.storefronts drop column offset_hours;
alter table payrecon.tieout_offsets add column zone text collate "C";
update payrecon.tieout_offsets
set zone = 'Etc/GMT' || case when tieout_offsets.offset_hours > 0 then '-' else '+' end || abs(tieout_offsets.offset_hours);
alter table payrecon.tieout_offsets alter column zone set not null;
alter table payrecon.tieout_offsets drop column offset_hours;
alter table payrecon.tieout_offsets add column runner_up text collate "C";
alter table payrecon.tieout_offsets add column runner_up_count bigint;
