-- purpose: orders that claim evidence which is not genuine, or genuine but of another app, and got nothing (11_unproven.sql).
-- grain:   one refused candidate per order and piece of evidence
insert into match_candidate (rung, order_id, evidence_sha256, refusal, created_at)
select
    'M5',
    match_order.order_id,
    evidence.sha256,
    case
        when evidence.verdict = 'forged' then 'FORGED_SIGNATURE'
        when evidence.reason like 'app_id%' then 'APP_ID_DIFF'
        when evidence.reason like 'environment%' then 'FORGED_SIGNATURE'
        else 'BUNDLE_DIFF'
    end,
    match_order.created_at
from match_unproven
inner join in_judged_evidence as evidence on evidence.sha256 = match_unproven.evidence_sha256
inner join match_order on match_order.order_id = match_unproven.order_id
-- A forgery beside something that Apple signed for another app says less than that.
left join (
    select distinct match_unproven.order_id
    from match_unproven
    inner join in_judged_evidence as evidence on evidence.sha256 = match_unproven.evidence_sha256
    where evidence.verdict = 'foreign'
        and evidence.reason not like 'environment%'
) as signed_elsewhere on signed_elsewhere.order_id = match_unproven.order_id
where (evidence.verdict = 'foreign' or signed_elsewhere.order_id is null)
    and not exists (select 1 from match_decided where match_decided.order_id = match_order.order_id);
