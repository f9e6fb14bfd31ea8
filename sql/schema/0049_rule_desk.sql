-- purpose: the rule desk: back-tests of a rule with other parameters, and changes of rules that two people stand behind.
-- rules:   all of it is only added to. Who acts is written by the database (sql/functions/stamp_rule_change.sql), which also
--          holds a change that makes a rule live against its back-test: ended well, of this rule, with these parameters.
--          A foreign key would have to lock rows that nobody may change, so it checks what a row names, too.

-- What somebody wants to be tried.
create table payrecon.rule_trials (
    trial_id text collate "C" not null,
    rule text collate "C" not null,
    -- name=value, in the order of names.
    parameters text collate "C" not null,
    -- Complete nights before the clock that are looked at, at most.
    night_max integer not null,
    person text collate "C" not null,
    account text collate "C" not null,
    at timestamptz not null,
    constraint rule_trials_pkey primary key (trial_id),
    constraint rule_trials_id check (trial_id ~ '^[0-9a-f]{32}$'),
    constraint rule_trials_nights check (night_max between 1 and 90),
    constraint rule_trials_said check (rule <> '' and person <> '')
);

-- What the rule would have found at the clock of a night, whatever it found then.
create table payrecon.rule_trial_nights (
    trial_id text collate "C" not null,
    as_of timestamptz not null,
    run_id text collate "C" not null,
    signal_count bigint not null,
    -- Of these: not open as live signals of the rule at that clock.
    new_count bigint not null,
    -- Open as live signals of the rule at that clock, and not found by the trial.
    gone_count bigint not null,
    case_count bigint not null,
    constraint rule_trial_nights_pkey primary key (trial_id, as_of)
);

-- How a trial ended: what its nights found together, by what people decided about the cases until the clock it was asked at.
create table payrecon.rule_trial_ends (
    trial_id text collate "C" not null,
    outcome text collate "C" not null,
    fault text collate "C",
    night_count integer not null,
    signal_count bigint not null,
    new_count bigint not null,
    gone_count bigint not null,
    case_count bigint not null,
    confirmed_count bigint not null,
    suspected_count bigint not null,
    false_positive_count bigint not null,
    code_version text collate "C" not null,
    ended_at timestamptz not null default clock_timestamp(),
    constraint rule_trial_ends_pkey primary key (trial_id),
    constraint rule_trial_ends_outcome check (outcome in ('finished', 'failed') and (outcome = 'failed') = (fault is not null)),
    constraint rule_trial_ends_judged check (confirmed_count + suspected_count + false_positive_count <= case_count)
);

create table payrecon.rule_changes (
    change_id text collate "C" not null,
    step text collate "C" not null,
    rule text collate "C" not null,
    version integer not null,
    state text collate "C" not null,
    parameters text collate "C" not null,
    trial_id text collate "C",
    person text collate "C" not null,
    account text collate "C" not null,
    -- Step that this row concludes, and the account behind it.
    proposal_step text collate "C",
    proposal_account text collate "C",
    reason text collate "C" not null,
    at timestamptz not null,
    constraint rule_changes_pkey primary key (change_id, step),
    constraint rule_changes_id check (change_id ~ '^[0-9a-f]{32}$'),
    constraint rule_changes_step check (step in ('proposed', 'approved', 'rejected', 'withdrawn')),
    constraint rule_changes_concludes check ((step = 'proposed') = (proposal_step is null)),
    constraint rule_changes_concluded check (proposal_step = 'proposed'),
    constraint rule_changes_state check (state in ('draft', 'shadow', 'live')),
    constraint rule_changes_version check (version > 0),
    constraint rule_changes_tried check (state <> 'live' or trial_id is not null),
    constraint rule_changes_said check (person <> '' and reason ~ '[^[:space:]]'),
    -- Two people are two accounts; who proposed may withdraw, and nobody else may for them.
    constraint rule_changes_two_accounts check (
        case step
            when 'proposed' then proposal_account is null
            when 'withdrawn' then proposal_account is not null and proposal_account = account
            else proposal_account is not null and proposal_account <> account
        end
    )
);
-- A proposal is concluded once, and a version of a rule is approved once.
create unique index rule_changes_once on payrecon.rule_changes (change_id) where step <> 'proposed';
create unique index rule_changes_versions on payrecon.rule_changes (rule, version) where step = 'approved';

do $$
begin
    -- Nobody, the owner included, changes or removes what was tried and changed.
    execute format(
        'revoke update, delete, truncate on payrecon.rule_trials, payrecon.rule_trial_ends, payrecon.rule_changes from %I',
        (select tableowner from pg_tables where schemaname = 'payrecon' and tablename = 'rule_changes')
    );
end
$$;
