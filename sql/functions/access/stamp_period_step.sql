-- purpose: Writes the acting account into a step of a close or reopening and enforces its rules. A conclusion copies its
--          proposal. A close meets every condition of period_obstacles, with the target of the stored settings, and its
--          reports and figures have the hashes that were proposed.
create or replace function payrecon.stamp_period_step() returns trigger
language plpgsql
as $$
declare
    said payrecon.period_steps;
    found_text text;
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
    if new.step <> 'proposed' then
        select proposal.* into said
        from payrecon.period_steps as proposal
        where proposal.act_id = new.act_id and proposal.step = new.proposal_step;
        if not found then
            raise exception 'nothing was proposed' using errcode = 'check_violation';
        end if;
        if new.step <> 'withdrawn' and payrecon.person_key(said.person) = payrecon.person_key(new.person) then
            raise exception 'person % proposed it, and a second person must decide', new.person using errcode = 'check_violation';
        end if;
        if new.at < said.at then
            raise exception 'it was proposed as of %', payrecon.rfc3339(said.at) using errcode = 'check_violation';
        end if;
        new.proposal_account := said.account;
        new.kind := said.kind;
        new.fiscal_period := said.fiscal_period;
        new.close_id := said.close_id;
        new.as_of := said.as_of;
        new.settings_sha256 := said.settings_sha256;
        new.code_version := said.code_version;
        new.coverage_target := said.coverage_target;
        new.tied_out_at := said.tied_out_at;
        new.coverage := said.coverage;
        new.reports_sha256 := said.reports_sha256;
        new.figures_sha256 := said.figures_sha256;
    elsif exists (
        select 1
        from payrecon.period_steps as pending
        where pending.fiscal_period = new.fiscal_period
            and pending.step = 'proposed'
            and not exists (
                select 1 from payrecon.period_steps as later where later.act_id = pending.act_id and later.step <> 'proposed'
            )
    ) then
        raise exception 'a close or reopening of this period is proposed already' using errcode = 'unique_violation';
    end if;
    if new.step in ('rejected', 'withdrawn') then
        return new;
    end if;
    if new.kind = 'reopen' then
        perform payrecon.check_reopening(new);
        return new;
    end if;
    select coalesce(substring(texts.settings from '(?n)^finance\.coverage_target: ([0-9.]+)$'), '95') into found_text
    from payrecon.settings_texts as texts
    where texts.settings_sha256 = new.settings_sha256;
    if not found then
        raise exception 'no run had these settings; tie the period out with them' using errcode = 'check_violation';
    end if;
    new.coverage_target := found_text::numeric;
    select covered.coverage, covered.tied_out_at into new.coverage, new.tied_out_at
    from payrecon.period_coverage(new.as_of) as covered
    where covered.fiscal_period = new.fiscal_period;
    select found_obstacle.obstacle into found_text
    from payrecon.period_obstacles(new.fiscal_period, new.as_of, new.at, new.coverage_target) as found_obstacle
    order by found_obstacle.place
    limit 1;
    if found then
        raise exception '%', found_text using errcode = 'check_violation';
    end if;
    if new.step = 'signed' and new.tied_out_at <> said.tied_out_at then
        raise exception 'it was tied out again since the close was proposed' using errcode = 'check_violation';
    end if;
    if new.reports_sha256 <> payrecon.period_reports_hash(new.act_id)
        or new.figures_sha256 <> payrecon.period_figures_hash(new.act_id)
        or (select count(*) from payrecon.period_reports as report where report.act_id = new.act_id) <> 5
    then
        raise exception 'its reports or figures do not have the proposed hashes' using errcode = 'check_violation';
    end if;
    return new;
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
        select 1 from payrecon.closed_periods_at(step.at) as standing where standing.act_id = step.close_id
    ) then
        raise exception 'period % is not closed by that close', step.fiscal_period using errcode = 'check_violation';
    end if;
    if (step.as_of, step.tied_out_at, step.reports_sha256, step.figures_sha256, step.settings_sha256, step.code_version)
        <> (closed.as_of, closed.tied_out_at, closed.reports_sha256, closed.figures_sha256, closed.settings_sha256, closed.code_version)
    then
        raise exception 'a reopening names the close as it was signed' using errcode = 'check_violation';
    end if;
    select max(standing.fiscal_period) into later
    from payrecon.closed_periods_at(step.at) as standing
    where standing.fiscal_period > step.fiscal_period;
    if later is not null then
        raise exception 'period % after it is closed; reopen that first', later using errcode = 'check_violation';
    end if;
end
$$;

-- Refuses reports and figures of a close that was already proposed.
create or replace function payrecon.check_period_content() returns trigger
language plpgsql
as $$
begin
    perform payrecon.require_duty('work');
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
