-- purpose: what the console looks up one by one is found without reading a table from end to end: what a run changed among all
--          breaks there ever were, and the charge that a period told without its line item belongs to.
create index break_events_run on payrecon.break_events (run_id, class, is_open);
create index transactions_told_bare on payrecon.transactions (charge_id)
where web_order_line_item_id is null
    and coalesce(type = 'auto_renewable', expires_at is not null);
