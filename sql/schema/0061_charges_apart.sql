-- purpose: charges that are no money are few: the bridge asks which orders stand on one without reading all charges.
create index charges_apart on payrecon.charges (charge_id) where state in ('family', 'free') or environment <> 'Production';
