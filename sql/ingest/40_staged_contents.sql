-- purpose: staging tables for what a chunk of Apple evidence states, whether new or compared with the known evidence.
-- grain:   stated_charge one row per charge with a new statement; staged_header one row per header of signed data
create temp table if not exists stated_charge (
    original_transaction_id text collate "C" not null, charge_id text collate "C" not null
) on commit delete rows;
create temp table if not exists staged_header (like payrecon.signed_headers) on commit delete rows;
