-- purpose: forgets what was said of cases that are gathered all together, or by nobody.
-- parameters: as_of (timestamptz)
-- grain:   one row per thing said
delete from console_changed where console_changed.at <= :'as_of'::timestamptz;
