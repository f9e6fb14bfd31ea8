-- purpose: the app of a renewal info, which names none itself: that of the notification or answer it was found in; '' if it came alone.
alter table payrecon.renewal_infos add column bundle_id text collate "C" not null default '';
do $$
begin
    grant update on payrecon.renewal_infos to payrecon_migrate;
exception
    when undefined_object then null;
end
$$;
update payrecon.renewal_infos
set bundle_id = enclosing.bundle_id
from (
    select evidence_links.sha256, min(parent.bundle_id) as bundle_id
    from payrecon.evidence_links
    inner join payrecon.evidence as parent on parent.sha256 = evidence_links.parent_sha256
    where parent.kind <> 'renewal_info'
        and parent.verdict = 'genuine'
        and parent.bundle_id <> ''
    group by evidence_links.sha256
) as enclosing
where enclosing.sha256 = renewal_infos.evidence_sha256;
do $$
begin
    revoke update on payrecon.renewal_infos from payrecon_migrate;
exception
    when undefined_object then null;
end
$$;
alter table payrecon.renewal_infos drop constraint renewal_infos_pkey;
alter table payrecon.renewal_infos
add constraint renewal_infos_pkey primary key (original_transaction_id, evidence_sha256, signed_at, bundle_id);
