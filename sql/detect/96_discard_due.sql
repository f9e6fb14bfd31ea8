-- purpose: removes all due instants before a full run recomputes them.
-- grain:   one row per order or chain and instant
delete from payrecon.detect_due;
