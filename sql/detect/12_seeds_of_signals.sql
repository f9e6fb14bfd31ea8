-- purpose: subjects of open signals of incremental rules, since the passing of time alone may end a signal.
-- grain:   one row per order, chain and user
with open_signal as (
    select signal_events.subject_kind, signal_events.subject_id
    from open_signal_events as signal_events
    inner join rules on rules.rule = signal_events.rule
    where rules.extent = 'near'
),
seeded_order as (
    insert into scope_order (order_id, round)
    select distinct open_signal.subject_id, 0
    from open_signal
    where open_signal.subject_kind = 'order'
    on conflict do nothing
),
seeded_user as (
    insert into scope_key (key, kind, round)
    select subject.user_id, 'user', 0
    from (
        select open_signal.subject_id as user_id
        from open_signal
        where open_signal.subject_kind = 'user'
        except
        select scope_key.key
        from scope_key
        where scope_key.kind = 'user'
    ) as subject
)
insert into scope_chain (original_transaction_id, round)
select open_signal.subject_id, 0
from open_signal
where open_signal.subject_kind = 'chain'
union
select charges.original_transaction_id, 0
from open_signal
inner join charges on charges.charge_id = open_signal.subject_id
where open_signal.subject_kind = 'charge'
on conflict do nothing;
