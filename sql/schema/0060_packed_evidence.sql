-- purpose: evidence is kept without what is kept elsewhere: texts inside it that are evidence themselves, and the letters that
--          base64 adds. unpacked_length is the length of what body stands for; null where body is that, as all that was
--          recorded before.
alter table payrecon.evidence add column unpacked_length integer;
drop function if exists payrecon.signed_field(bytea, text);
