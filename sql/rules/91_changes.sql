-- purpose: the events of this run: one for every signal that is raised, changes or lapses, none for an unchanged one.
-- parameters: run_id (text), as_of (timestamptz), is_partial (boolean): only some rules were asked to run,
--             is_trial (boolean): as shadows, whatever the settings say; a trial leaves live signals alone
-- grain:   one event per changed signal
create temp table rule_changed on commit drop as
with latest as (
    select distinct on (signal_events.signal_id) signal_events.*
    from (
        select signal_id from rule_judged
        union
        select signal_id from open_signals
    ) as looked_at
    inner join signal_events on signal_events.signal_id = looked_at.signal_id
    order by signal_events.signal_id, signal_events.as_of desc, signal_events.attempt desc
),
changed as (
    select
        rule_judged.signal_id, rule_judged.rule, rule_judged.version, rule_judged.state, rule_judged.subject_kind,
        rule_judged.subject_id, rule_judged.bundle_id, rule_judged.user_id, rule_judged.order_id,
        rule_judged.charge_id, rule_judged.currency, rule_judged.detail, rule_judged.inputs, rule_judged.parameters,
        rule_judged.score, rule_judged.amount_milliunits, true as is_open, rule_judged.happened_at,
        case when latest.is_open then latest.raised_at end as raised_at,
        latest.as_of as previous_as_of, latest.attempt as previous_attempt
    from rule_judged
    left join latest on latest.signal_id = rule_judged.signal_id
    where (
            latest.signal_id is null
            or not latest.is_open
            or (
                latest.rule_version, latest.state, latest.detail, latest.inputs, latest.parameters, latest.score,
                latest.amount_milliunits, latest.user_id, latest.order_id, latest.charge_id, latest.happened_at
            ) is distinct from (
                rule_judged.version, rule_judged.state, rule_judged.detail, rule_judged.inputs,
                rule_judged.parameters, rule_judged.score, rule_judged.amount_milliunits, rule_judged.user_id,
                rule_judged.order_id, rule_judged.charge_id, rule_judged.happened_at
            )
        )
        and not (:'is_trial'::boolean and coalesce(latest.is_open and latest.state <> 'shadow', false))
    union all
    select
        latest.signal_id, latest.rule, latest.rule_version, latest.state, latest.subject_kind, latest.subject_id,
        latest.bundle_id, latest.user_id, latest.order_id, latest.charge_id, latest.currency, latest.detail,
        latest.inputs, latest.parameters, latest.score, latest.amount_milliunits, false, latest.happened_at,
        latest.raised_at, latest.as_of, latest.attempt
    from latest
    where latest.is_open
        and not exists (select 1 from rule_judged where rule_judged.signal_id = latest.signal_id)
        and (
            not :'is_partial'::boolean
            or exists (select 1 from rule_setting where rule_setting.rule = latest.rule)
        )
        and not (:'is_trial'::boolean and latest.state <> 'shadow')
)
select
    signal_id,
    case when previous_as_of >= :'as_of'::timestamptz then previous_attempt + 1 else 1 end as attempt,
    rule, version as rule_version, state, subject_kind, subject_id, bundle_id, user_id, order_id, charge_id, currency,
    detail, inputs, parameters, :'run_id'::text as run_id, score, amount_milliunits, is_open, happened_at,
    coalesce(raised_at, greatest(:'as_of'::timestamptz, previous_as_of)) as raised_at,
    greatest(:'as_of'::timestamptz, previous_as_of) as as_of
from changed;
