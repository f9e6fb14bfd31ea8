-- purpose: a file that was cut in a record is whole only once that record is told, not by the next day's file of its name.

-- awaits_record: the record in which it was cut can be recognised. told_batch_id: the first later one that told it.
alter table payrecon.cut_inputs
    add column awaits_record boolean not null default false,
    add column told_batch_id bigint;
