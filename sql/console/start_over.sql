-- purpose: says that all cases are gathered anew from here on: they were not listed yet, or are known by a clock to come.
-- parameters: as_of (timestamptz)
-- grain:   one row; none where somebody listed them in the meantime
update console_gathered
set
    detected = '',
    as_of = :'as_of'::timestamptz,
    gathered_at = clock_timestamp(),
    -- Listed: before any detection.
    detected_at = '-infinity'
where (console_gathered.detected = '' and console_gathered.detected_at is null)
    or console_gathered.as_of > :'as_of'::timestamptz;
