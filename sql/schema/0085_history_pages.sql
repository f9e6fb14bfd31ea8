-- purpose: pages of Apple's histories that were read from files, so that a history without its last page is known.

-- keys: hashes of what its transactions share with other pages of the same customer. names_customer: one of them names the customer.
create table payrecon.history_pages (
    batch_id bigint not null,
    line bigint not null,
    sha256 bytea not null,
    list text collate "C" not null,
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    keys text[] not null,
    has_more boolean not null,
    names_customer boolean not null,
    constraint history_pages_pkey primary key (batch_id, line, sha256)
);

do $$
begin
    -- Pages are only added.
    revoke update, delete, truncate on payrecon.history_pages from payrecon_migrate;
exception
    when undefined_object then null;
end
$$;
