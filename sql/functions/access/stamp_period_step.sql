-- purpose: Writes the acting account into a step of a close or reopening and enforces its rules. A conclusion copies its
--          proposal.
create or replace function payrecon.stamp_period_step() returns trigger
language plpgsql
as $$
declare
    proposal payrecon.period_steps;
    fault text;
begin
    if tg_op = 'UPDATE' then
        -- An erasure renames a person in the reason.
        if (to_jsonb(new) - 'reason') <> (to_jsonb(old) - 'reason') then
            raise exception 'a step of a close cannot be changed' using errcode = 'insufficient_privilege';
        end if;
        return new;
    end if;
    perform payrecon.require_duty(case when new.step in ('proposed', 'withdrawn') then 'work' else 'conclude' end);
    perform payrecon.require_clock(new.at);
    -- Serializes closes and reopenings, so that two of neighbouring periods see each other.
    perform pg_advisory_xact_lock(1885434792);
    new.account := payrecon.acting_account();
    new.proposal_account := null;
    select format('the name "%s" %s; choose another name', named.name, payrecon.person_name_fault(named.name))
    into fault
    from (values (new.account), (new.person)) as named (name)
    where payrecon.person_name_fault(named.name) is not null
    limit 1;
    if found then
        raise exception '%', fault using errcode = 'check_violation';
    end if;
    if new.step <> 'proposed' then
        select proposed.* into proposal
        from payrecon.period_steps as proposed
        where proposed.act_id = new.act_id and proposed.step = new.proposal_step;
        if not found then
            raise exception 'no close or reopening with id % is proposed', new.act_id using errcode = 'check_violation';
        end if;
        perform payrecon.require_second_account(proposal.account, new.account, new.step);
        if new.step <> 'withdrawn' and payrecon.person_key(proposal.person) = payrecon.person_key(new.person) then
            raise exception 'person % proposed it, and a second person must decide', new.person using errcode = 'check_violation';
        end if;
        if new.at < proposal.at then
            raise exception 'the proposal was made as of %, after %', payrecon.rfc3339(proposal.at), payrecon.rfc3339(new.at)
                using errcode = 'check_violation';
        end if;
        new := jsonb_populate_record(proposal, jsonb_build_object(
            'step', new.step, 'proposal_step', new.proposal_step, 'proposal_account', proposal.account, 'account', new.account,
            'person', new.person, 'reason', new.reason, 'at', new.at
        ));
    elsif exists (
        select 1
        from payrecon.period_steps as pending
        where pending.fiscal_period = new.fiscal_period
            and pending.step = 'proposed'
            and not exists (
                select 1 from payrecon.period_steps as later where later.act_id = pending.act_id and later.step <> 'proposed'
            )
    ) then
        raise exception 'a close or reopening of period % is proposed already', new.fiscal_period using errcode = 'unique_violation';
    end if;
    if new.step in ('rejected', 'withdrawn') then
        return new;
    end if;
    perform payrecon.check_step_clock(new);
    if new.kind = 'reopen' then
        perform payrecon.check_reopening(new);
        return new;
    end if;
    return payrecon.check_close(new);
end
$$;

-- Returns a step of a close with its tie-out, its coverage and the target of the stored settings. Refuses a close that does not
-- meet every condition of period_obstacles, or whose reports and figures do not have the proposed hashes.
create or replace function payrecon.check_close(step payrecon.period_steps) returns payrecon.period_steps
language plpgsql
as $$
declare
    target text;
    obstacle jsonb;
    proposed_tieout_at timestamptz := step.tied_out_at;
begin
    select coalesce(substring(texts.settings from '(?n)^finance\.coverage_target: ([0-9.]+)$'), '95') into target
    from payrecon.settings_texts as texts
    where texts.settings_sha256 = step.settings_sha256;
    if not found then
        raise exception 'no run had the settings %; tie the period out with them', left(step.settings_sha256, 12)
            using errcode = 'check_violation';
    end if;
    step.coverage_target := target::numeric;
    select covered.coverage, covered.tied_out_at into step.coverage, step.tied_out_at
    from payrecon.period_coverage(step.as_of) as covered
    where covered.fiscal_period = step.fiscal_period;
    select unmet.obstacle into obstacle
    from payrecon.period_obstacles(step.fiscal_period, step.as_of, step.at, step.coverage_target) as unmet
    order by unmet.place
    limit 1;
    if found then
        raise exception '%', payrecon.english(obstacle) using errcode = 'check_violation';
    end if;
    if step.step = 'signed' and step.tied_out_at <> proposed_tieout_at then
        raise exception 'period % was tied out again as of % since its close was proposed', step.fiscal_period,
            payrecon.rfc3339(step.tied_out_at)
            using errcode = 'check_violation';
    end if;
    if step.reports_sha256 <> payrecon.period_reports_hash(step.act_id)
        or step.figures_sha256 <> payrecon.period_figures_hash(step.act_id)
        or (select count(*) from payrecon.period_reports as report where report.act_id = step.act_id) <> 5
    then
        raise exception 'the reports or figures of the close do not have the proposed hashes' using errcode = 'check_violation';
    end if;
    return step;
end
$$;

-- Refuses a clock at which an earlier signature, or a report that was written already, would show another state.
create or replace function payrecon.check_step_clock(step payrecon.period_steps) returns void
language plpgsql stable
as $$
declare
    signed payrecon.period_steps;
    report_as_of timestamptz;
begin
    select earlier.* into signed
    from payrecon.period_steps as earlier
    where earlier.step = 'signed'
    order by earlier.at desc, earlier.fiscal_period = step.fiscal_period desc
    limit 1;
    if step.at < signed.at or (step.at = signed.at and step.fiscal_period = signed.fiscal_period) then
        raise exception 'refused to act as of %: period % was % as of %', payrecon.rfc3339(step.at), signed.fiscal_period,
            case signed.kind when 'close' then 'closed' else 'reopened' end, payrecon.rfc3339(signed.at)
            using errcode = 'check_violation';
    end if;
    if step.step <> 'signed' then
        return;
    end if;
    -- A report whose clock was ahead of the machine is a preview, as a run ahead is.
    select max(written.as_of) into report_as_of
    from payrecon.report_manifests as written
    where written.as_of <= written.written_at;
    if step.at <= report_as_of then
        raise exception 'refused to sign as of %: a report as of % was written already', payrecon.rfc3339(step.at),
            payrecon.rfc3339(report_as_of)
            using errcode = 'check_violation';
    end if;
    if step.as_of >= step.at then
        raise exception 'refused to sign as of %: the signature must be later than its reports, which are as of %',
            payrecon.rfc3339(step.at), payrecon.rfc3339(step.as_of)
            using errcode = 'check_violation';
    end if;
end
$$;

-- Refuses to reopen a period that is not closed, or before a later closed period.
create or replace function payrecon.check_reopening(step payrecon.period_steps) returns void
language plpgsql stable
as $$
declare
    closed payrecon.period_steps;
    later text;
begin
    select signed.* into closed
    from payrecon.period_steps as signed
    where signed.act_id = step.close_id and signed.step = 'signed' and signed.kind = 'close';
    if not found or closed.fiscal_period <> step.fiscal_period or not exists (
        select 1 from payrecon.closed_periods_at('infinity') as standing where standing.act_id = step.close_id
    ) then
        raise exception 'period % is not closed by that close', step.fiscal_period using errcode = 'check_violation';
    end if;
    if (step.as_of, step.tied_out_at, step.reports_sha256, step.figures_sha256, step.settings_sha256, step.code_version)
        <> (closed.as_of, closed.tied_out_at, closed.reports_sha256, closed.figures_sha256, closed.settings_sha256, closed.code_version)
    then
        raise exception 'the reopening of period % does not name its close as it was signed', step.fiscal_period
            using errcode = 'check_violation';
    end if;
    select max(standing.fiscal_period) into later
    from payrecon.closed_periods_at('infinity') as standing
    where standing.fiscal_period > step.fiscal_period;
    if later is not null then
        raise exception 'the later period % is closed; reopen that first', later using errcode = 'check_violation';
    end if;
end
$$;

-- Refuses reports and figures of a close that was already proposed.
create or replace function payrecon.check_period_content() returns trigger
language plpgsql
as $$
begin
    perform payrecon.require_duty('work');
    -- A row that is added while the close is signed either belongs to it or is refused.
    perform pg_advisory_xact_lock(1885434792);
    if tg_op = 'UPDATE' or exists (select 1 from payrecon.period_steps as step where step.act_id = new.act_id) then
        raise exception 'reports and figures of a close cannot be changed' using errcode = 'insufficient_privilege';
    end if;
    return new;
end
$$;

create or replace trigger stamp before insert or update on payrecon.period_steps
for each row execute function payrecon.stamp_period_step();
create or replace trigger check_content before insert or update on payrecon.period_reports
for each row execute function payrecon.check_period_content();
create or replace trigger check_content before insert or update on payrecon.period_figures
for each row execute function payrecon.check_period_content();
