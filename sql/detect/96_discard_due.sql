-- purpose: all instants are found anew.
-- parameters: none
-- grain:   one row per order or chain and instant
delete from payrecon.detect_due;
