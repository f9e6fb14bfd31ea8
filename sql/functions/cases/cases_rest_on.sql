-- purpose: Returns the identity of the state that cases are built from at a clock: the latest detection, and the end of the
--          latest run that raises breaks or signals, as several may have the same clock.
create or replace function payrecon.cases_rest_on(clock timestamptz) returns text
language sql stable parallel safe
as $$
    select concat_ws(
        ' ',
        (
            select payrecon.rfc3339(detections.as_of) || ' ' || detections.run_id
            from payrecon.detections
            where detections.as_of <= clock
            order by detections.as_of desc
            limit 1
        ),
        (
            select payrecon.rfc3339(max(runs.ended_at))
            from payrecon.runs
            where runs.job in ('detect', 'nightly', 'tieout')
                and runs.as_of <= clock
        )
    )
$$;
