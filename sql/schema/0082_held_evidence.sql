-- purpose: evidence that Apple signed after the clock of the run that read it is held, and read anew once a clock has passed that instant.
alter table payrecon.unproven_evidence add column held_until timestamptz;
