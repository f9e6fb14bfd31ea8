-- purpose: stores the text of settings, so that later changes can be listed.
-- parameters: settings_sha256, settings (text)
-- grain:   at most one row
insert into settings_texts (settings_sha256, settings)
values (:'settings_sha256'::text, :'settings'::text)
on conflict do nothing;
