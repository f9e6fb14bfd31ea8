-- purpose: subjects of open signals of the rules that otherwise look only at what changed: time alone may end one.
-- grain:   one row per order, chain and user
with standing as (
    select signal_events.subject_kind, signal_events.subject_id
    from open_signals
    inner join signal_events
        on signal_events.signal_id = open_signals.signal_id
        and signal_events.as_of = open_signals.as_of
        and signal_events.attempt = open_signals.attempt
    inner join rules on rules.rule = open_signals.rule
    where rules.extent = 'near'
),
of_orders as (
    insert into scope_order (order_id, round)
    select distinct standing.subject_id, 0
    from standing
    where standing.subject_kind = 'order'
    on conflict do nothing
),
of_users as (
    insert into scope_key (key, kind, round)
    select distinct standing.subject_id, 'user', 0
    from standing
    where standing.subject_kind = 'user'
    on conflict do nothing
)
insert into scope_chain (original_transaction_id, round)
select standing.subject_id, 0
from standing
where standing.subject_kind = 'chain'
union
select charges.original_transaction_id, 0
from standing
inner join charges on charges.charge_id = standing.subject_id
where standing.subject_kind = 'charge'
on conflict do nothing;
