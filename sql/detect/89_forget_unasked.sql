-- purpose: forgets what was found of what is not asked about. Of charges and subscriptions that are only shown for an
--          order's sake not all that bears on them is in the scope; and an order of another state whose match ended
--          meanwhile is the next run's.
-- grain:   one finding
delete from finding
where (
        (finding.subject_id like 'charge:%' or finding.subject_id like 'chain:%')
        and not exists (select 1 from scope_subject where scope_subject.subject_id = finding.subject_id)
    )
    or finding.subject_id in (
        select 'order:' || scope_order.order_id
        from scope_order
        where scope_order.round = -1
            and not exists (select 1 from in_matched_orders as matched_orders where matched_orders.order_id = scope_order.order_id)
    );
