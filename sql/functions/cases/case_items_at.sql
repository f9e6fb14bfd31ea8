-- purpose: Returns the items of cases: open signals of live rules and open breaks. A case is about a user; without a known
--          user it is about an order or charge. since_at is the instant at which the item last grew or came back. amount_of
--          states what the amount belongs to: one order, one charge, or a sum over many items. A null selects all breaks
--          and signals.
create or replace function payrecon.case_items_at(clock timestamptz, item_ids text[] default null) returns table (
    case_id text, subject_kind text, subject_id text, item_kind text, item_id text, name text, rank integer,
    is_open boolean, since_at timestamptz, opened_at timestamptz, due_at timestamptz, order_id text, charge_id text,
    amount_milliunits bigint, currency text, detail jsonb, is_decided boolean, bundle_id text, amount_of text
)
language sql stable parallel safe
as $$
    select payrecon.case_id_of(item.subject_kind, item.subject_id), item.*
    from (
        select
            case when signal.user_id is null then signal.subject_kind else 'user' end as subject_kind,
            coalesce(signal.user_id, signal.subject_id) as subject_id,
            'signal', signal.signal_id, signal.rule,
            -- Before a deadline of Apple's the case comes first; afterwards it is one among others.
            case when (signal.inputs::json ->> 'due_at')::timestamptz > clock then 5 else 3 end, signal.is_open and signal.state = 'live',
            signal.stronger_at, signal.live_at,
            -- A rule may state the deadline of its signal.
            coalesce((signal.inputs::json ->> 'due_at')::timestamptz, signal.live_at + interval '48 hours'), signal.order_id,
            signal.charge_id, signal.amount_milliunits, signal.currency, signal.detail, false, signal.bundle_id,
            case when signal.subject_kind in ('order', 'charge') then signal.subject_kind else 'sum' end
        from payrecon.signals_at(clock) as signal
        where signal.state = 'live'
            and (case_items_at.item_ids is null or signal.signal_id = any(case_items_at.item_ids collate "C"))
        union all
        select
            case
                when breaks.user_id is not null then 'user'
                when breaks.order_id is not null then 'order'
                when breaks.charge_id is not null then 'charge'
                else 'break'
            end,
            coalesce(breaks.user_id, breaks.order_id, breaks.charge_id, breaks.break_id),
            'break', breaks.break_id, breaks.class,
            payrecon.severity_rank(breaks.severity),
            breaks.is_open, greatest(breaks.news_at, breaks.came_back_at), breaks.opened_at,
            breaks.opened_at + make_interval(hours => break_classes.due_hours), breaks.order_id, breaks.charge_id,
            payrecon.at_stake(breaks.environment, breaks.amount_milliunits), breaks.currency, breaks.detail, breaks.is_decided,
            breaks.bundle_id, 'order'
        from payrecon.breaks_at(clock, case_items_at.item_ids) as breaks
        inner join payrecon.break_classes on break_classes.class = breaks.class
    ) as item (
        subject_kind, subject_id, item_kind, item_id, name, rank, is_open, since_at, opened_at, due_at, order_id,
        charge_id, amount_milliunits, currency, detail, is_decided, bundle_id, amount_of
    )
$$;
