-- purpose: the events of this run: one for every signal that is raised, changes or lapses.
-- parameters: run_id (text), as_of (timestamptz), is_partial (boolean): whether only some rules were requested, is_trial
--             (boolean): whether all rules run as shadows; a trial leaves live signals alone
-- grain:   one event per changed signal
create temp table rule_changed on commit drop as
with changed as (
    select
        rule_judged.signal_id, rule_judged.rule, rule_judged.version, rule_judged.state, rule_judged.subject_kind,
        rule_judged.subject_id, rule_judged.bundle_id, rule_judged.user_id, rule_judged.order_id,
        rule_judged.charge_id, rule_judged.currency, rule_judged.detail, rule_judged.inputs, rule_judged.parameters,
        rule_judged.score, rule_judged.amount_milliunits, true as is_open, rule_judged.happened_at,
        case when rule_latest.is_open then rule_latest.raised_at end as raised_at,
        rule_latest.as_of as previous_as_of, rule_latest.attempt as previous_attempt
    from rule_judged
    left join rule_latest on rule_latest.signal_id = rule_judged.signal_id
    where (
            rule_latest.signal_id is null
            or not rule_latest.is_open
            or (
                rule_latest.rule_version, rule_latest.state, rule_latest.detail, rule_latest.inputs, rule_latest.parameters,
                rule_latest.score, rule_latest.amount_milliunits, rule_latest.user_id, rule_latest.order_id,
                rule_latest.charge_id, rule_latest.happened_at, rule_latest.bundle_id, rule_latest.currency
            ) is distinct from (
                rule_judged.version, rule_judged.state, rule_judged.detail, rule_judged.inputs,
                rule_judged.parameters, rule_judged.score, rule_judged.amount_milliunits, rule_judged.user_id,
                rule_judged.order_id, rule_judged.charge_id, rule_judged.happened_at, rule_judged.bundle_id, rule_judged.currency
            )
        )
        and not (:'is_trial'::boolean and coalesce(rule_latest.is_open and rule_latest.state <> 'shadow', false))
    union all
    select
        rule_latest.signal_id, rule_latest.rule, rule_latest.rule_version, rule_latest.state, rule_latest.subject_kind,
        rule_latest.subject_id,
        rule_latest.bundle_id, rule_latest.user_id, rule_latest.order_id, rule_latest.charge_id, rule_latest.currency, rule_latest.detail,
        rule_latest.inputs, rule_latest.parameters, rule_latest.score, rule_latest.amount_milliunits, false, rule_latest.happened_at,
        rule_latest.raised_at, rule_latest.as_of, rule_latest.attempt
    from rule_latest
    where rule_latest.is_open
        and not exists (select 1 from rule_judged where rule_judged.signal_id = rule_latest.signal_id)
        and (
            not :'is_partial'::boolean
            or exists (select 1 from rule_setting where rule_setting.rule = rule_latest.rule)
        )
        and not (:'is_trial'::boolean and rule_latest.state <> 'shadow')
)
select
    signal_id,
    case when previous_as_of >= :'as_of'::timestamptz then previous_attempt + 1 else 1 end as attempt,
    rule, version as rule_version, state, subject_kind, subject_id, bundle_id, user_id, order_id, charge_id, currency,
    detail, inputs, parameters, :'run_id'::text as run_id, score, amount_milliunits, is_open, happened_at,
    coalesce(raised_at, greatest(:'as_of'::timestamptz, previous_as_of)) as raised_at,
    greatest(:'as_of'::timestamptz, previous_as_of) as as_of
from changed;
