-- purpose: tables under the names of the field: what somebody handed over is an upload, what Apple posted a notification, and
--          the order that holds a match a matched order.
-- grain:   as before; nothing but names changes.
alter table payrecon.sightings rename to uploads;
alter index payrecon.sightings_pkey rename to uploads_pkey;

alter table payrecon.received_posts rename to received_notifications;
alter index payrecon.received_posts_pkey rename to received_notifications_pkey;
alter sequence payrecon.received_posts_post_id_seq rename to received_notifications_post_id_seq;

alter table payrecon.refused_posts rename to refused_notifications;
alter index payrecon.refused_posts_pkey rename to refused_notifications_pkey;

alter table payrecon.claims rename to matched_orders;
alter index payrecon.claims_pkey rename to matched_orders_pkey;

-- They showed the tables under their old names.
drop view if exists payrecon_past.claims, payrecon_past.sightings;
