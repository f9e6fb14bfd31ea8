-- purpose: one budget of Apple's rate limits for all workers and jobs of all machines.

-- Up to when the requests of one app, App Store and endpoint are taken. Requests are spread evenly over time: whoever
-- wants some takes the next stretch. Not business time: the clock that all machines share is that of the database.
create table payrecon.api_budgets (
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    endpoint text collate "C" not null,
    -- When somebody last asked for a stretch, and when the next free one began by then.
    asked_at timestamptz not null,
    begins_at timestamptz not null,
    -- End of the last stretch that somebody took.
    taken_to timestamptz not null,
    -- End of the pause that Apple last asked for.
    paused_to timestamptz,
    constraint api_budgets_pkey primary key (bundle_id, environment, endpoint)
);
