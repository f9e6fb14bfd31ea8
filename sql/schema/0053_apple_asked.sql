-- purpose: what Apple said when it was asked again before somebody was punished stands beside each step of the decision.
alter table payrecon.case_decisions add column apple text collate "C";
alter table payrecon.case_decisions add constraint case_decisions_apple check (
    apple in ('as_known', 'differs', 'out_of_reach', 'no_key', 'nothing_to_ask')
);
