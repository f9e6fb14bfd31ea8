-- purpose: two vendor numbers whose reports have the same bytes, such as two empty months after an app's transfer, have a file each. What
--          refers to a file does so by its key, file_sha256: the hash of its bytes, and "-" and the vendor number where its name tells one.
--          Keys that were given before are hashes alone, and stay. The bytes themselves are kept once, by their hash.
alter table payrecon.finance_files
add column bytes_sha256 text collate "C" not null generated always as (left(file_sha256, 64)) stored;
create unique index finance_files_bytes on payrecon.finance_files (bytes_sha256, vendor);
