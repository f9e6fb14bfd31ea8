-- purpose: orders of which only the state changed are told apart from those that may match another way; and nobody asks all
--          users any more who shares a token, nor all events which signals are open.

-- kind: order, order_state (delivered, refunded, another price: nothing by which a rung that was reached by keys decides),
-- user, chain (an original transaction id), evidence (a sha256). In undetected also chain_state: that of such an order.
alter table payrecon.changes drop constraint changes_kind;
alter table payrecon.changes
add constraint changes_kind check (kind in ('order', 'order_state', 'user', 'chain', 'evidence'));

alter table payrecon.undetected drop constraint undetected_kind;
alter table payrecon.undetected
add constraint undetected_kind check (kind in ('order', 'order_state', 'chain', 'chain_state'));
create index matches_guessed on payrecon.matches (order_id) where rung = 'M6';

-- Tokens that more than one user has or had at a time, as match runs come upon them: accounts that were merged. Who asks
-- for one looks again who has it now.
create table payrecon.shared_tokens (
    app_account_token text collate "C" not null,
    constraint shared_tokens_pkey primary key (app_account_token)
);
insert into payrecon.shared_tokens (app_account_token)
select app_account_token
from payrecon.users
where app_account_token is not null
group by app_account_token
having count(*) > 1;

-- Names a signal: one per rule and subject, whoever finds it and however often.
create function payrecon.signal_hash(rule text, subject_kind text, subject_id text) returns text
language sql stable parallel safe
return left(
    encode(sha256(convert_to($1 || '|' || $2 || '|' || $3, 'UTF8')), 'hex'), 32
);

-- Which event of each open signal is its newest: a projection of signal_events, written with it.
create table payrecon.open_signals (
    signal_id text collate "C" not null,
    rule text collate "C" not null,
    state text collate "C" not null,
    attempt integer not null,
    as_of timestamptz not null,
    constraint open_signals_pkey primary key (signal_id)
);
insert into payrecon.open_signals (signal_id, rule, state, attempt, as_of)
select newest.signal_id, newest.rule, newest.state, newest.attempt, newest.as_of
from (
    select distinct on (signal_events.signal_id) signal_events.*
    from payrecon.signal_events
    order by signal_events.signal_id, signal_events.as_of desc, signal_events.attempt desc
) as newest
where newest.is_open;
