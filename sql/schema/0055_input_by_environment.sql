-- purpose: what each hour of business time was told of, environment by environment, so that a tester in Apple's sandbox does not
--          hide that nothing comes from Production.
alter table payrecon.input_hours add column environment text collate "C" not null default '';
alter table payrecon.input_hours alter column environment drop default;

-- What was counted before is of Production where its batch told anything of Production, as nights took it then.
update payrecon.input_hours
set environment = told.environment
from (
    select batch_id, coalesce(max(environment) filter (where environment = 'Production'), max(environment)) as environment
    from (
        select batch_id, environment from payrecon.orders
        union all
        select batch_id, environment from payrecon.order_versions
        union all
        select batch_id, environment from payrecon.evidence where verdict = 'genuine'
        union all
        select batch_id, environment from payrecon.judgements where verdict = 'genuine'
    ) as row_told
    group by batch_id
) as told
where told.batch_id = input_hours.batch_id;

alter table payrecon.input_hours drop constraint input_hours_pkey;
alter table payrecon.input_hours add constraint input_hours_pkey primary key (batch_id, fact_hour, bundle_id, environment);
