-- purpose: items whose content became usable, alone or in their container; they may have other uploads.
-- grain:   one row per item
insert into usable_evidence (sha256, item)
select fresh_evidence.sha256, fresh_evidence.item
from fresh_evidence
inner join staged_evidence using (sha256, item)
where fresh_evidence.is_known
    or staged_evidence.is_reevaluation
    or exists (select 1 from fresh_evidence as top where top.sha256 = staged_evidence.top_sha256 and top.is_known);
