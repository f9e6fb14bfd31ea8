-- purpose: Returns the newest clock of signed reports, null without any. The reports of a close can be written again after a
--          reopening, too, so nothing is added, decided or tied out up to this clock.
create or replace function payrecon.signed_clock() returns timestamptz
language sql stable parallel safe
as $$
    select max(signed.as_of)
    from payrecon.period_steps as signed
    where signed.kind = 'close'
        and signed.step = 'signed'
$$;
