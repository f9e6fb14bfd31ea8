-- purpose: refunds that Apple reversed, and terms that were upgraded, which a tie-out looks for among all charges; what money that was
--          not paid out yet may come to in the bank's currency, and the payment whose rate that rests on.
create index charges_reversed on payrecon.charges (reversed_at) where reversed_at is not null;
create index charges_upgraded on payrecon.charges (purchased_at) where is_upgraded;

alter table payrecon.tieout_payments
    add column estimated_rate numeric,
    add column estimated_from text collate "C",
    add column estimated_proceeds numeric,
    add column estimated_currency text collate "C";
