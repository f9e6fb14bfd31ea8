-- purpose: removes findings outside the run's scope. Charges and subscriptions that are visible only because of an order
--          lack part of their facts. An order with a changed state whose match ended during the run belongs to the next
--          run.
-- grain:   one finding
delete from finding
where (
        (finding.subject_id like 'charge:%' or finding.subject_id like 'chain:%')
        and not exists (select 1 from scope_subject where scope_subject.subject_id = finding.subject_id)
    )
    or finding.subject_id in (
        select 'order:' || scope_order.order_id
        from scope_order
        where scope_order.round is null
            and not exists (select 1 from in_matched_orders as matched_orders where matched_orders.order_id = scope_order.order_id)
    );
