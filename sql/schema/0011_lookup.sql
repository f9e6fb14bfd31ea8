-- purpose: lookups read what is asked about, however many charges, breaks and signals there have been.

create index charges_charge on payrecon.charges (charge_id);
create index break_events_order on payrecon.break_events (order_id) where order_id is not null;
create index break_events_charge on payrecon.break_events (charge_id) where charge_id is not null;
create index signal_events_order on payrecon.signal_events (order_id) where order_id is not null;
create index signal_events_charge on payrecon.signal_events (charge_id) where charge_id is not null;
create index signal_events_subject on payrecon.signal_events (subject_id, subject_kind);
