-- purpose: the settings recorded most recently in the audit chain.
-- grain:   at most one row: the hash, and the text if it was kept
select entry.settings_sha256, settings_texts.settings
from (
    select audit_log.details::json ->> 'new' as settings_sha256
    from audit_log
    where audit_log.act = 'settings_changed'
    order by audit_log.number desc
    limit 1
) as entry
left join settings_texts on settings_texts.settings_sha256 = entry.settings_sha256;
