-- purpose: whether goods were out for an order that stands without a charge, as its break was found: a decision about an order that
--          was only paid ends once its goods go out. Null: the break is about no such order, or an older program recorded it.
alter table payrecon.break_events add column is_delivered boolean;
