-- purpose: what rungs below all others said of an order, of a charge or of the two, when the ladder was climbed anew.
-- parameters: order_id, charge_id (text): one of them may be null
-- grain:   one row per rung, with whether it granted the pair
select
    rungs.rung,
    coalesce(bool_or(match_decided.rung = rungs.rung), false) as is_granted,
    case
        when bool_or(match_decided.rung = rungs.rung) then rungs.says
        when count(match_candidate.rung) = 0 then case
                when :'charge_id'::text is null then 'for no charge it holds that '
                when :'order_id'::text is null then 'for no order it holds that '
                else 'it does not hold that '
            end || rungs.says
        when num_nulls(:'order_id'::text, :'charge_id'::text) > 0 then 'what it found is refused, or another order or charge went before'
        when count(match_candidate.refusal) > 0 then 'the pair is refused'
        else rungs.says || ', but another order or charge went before'
    end as reason
from rungs
left join match_candidate
    on match_candidate.rung = rungs.rung
    and match_candidate.order_id = coalesce(:'order_id'::text, match_candidate.order_id)
    and match_candidate.charge_id = coalesce(:'charge_id'::text, match_candidate.charge_id)
left join match_decided
    on match_decided.order_id = :'order_id'::text
    and match_decided.charge_id = :'charge_id'::text
where rungs.rung > 'M7'
group by rungs.rung, rungs.says
order by rungs.rung;
