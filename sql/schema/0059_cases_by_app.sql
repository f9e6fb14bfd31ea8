-- purpose: the cases of one app are found in the order of the queue, however many of another stand before them.
create index console_cases_by_app on payrecon.console_cases (bundle_ids, place) where status in ('open', 'waiting_approval');
