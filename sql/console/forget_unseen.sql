-- purpose: forgets which cases changed while nobody ever opened the console.
-- parameters: none
-- grain:   one row
select console_forget_unseen();
