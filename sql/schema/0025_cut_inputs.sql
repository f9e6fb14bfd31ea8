-- purpose: which inputs ended before they should: half-written files, packed ones that end early, headers without rows.

-- What of the input was sound is in. Its cut end is a parked item, which stands for the file until it is whole.
create table payrecon.cut_inputs (
    batch_id bigint not null,
    parked_id text collate "C" not null,
    constraint cut_inputs_pkey primary key (batch_id)
);
create index cut_inputs_parked on payrecon.cut_inputs (parked_id);
create index batches_file on payrecon.batches (kind, file_name);
