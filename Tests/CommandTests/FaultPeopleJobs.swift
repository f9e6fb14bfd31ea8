/// Jobs that users start after a night: parked input, review, lists, erasure.
extension FaultJob {
  static func ofPeople() -> [FaultJob] {
    [deadletter("retry"), deadletter("discard"), lists, take, decide, erase, retain()]
  }

  private static let clock = ["--as-of", Setup.asOf]

  /// Returns a job on parked rows, half of which have become valid.
  private static func deadletter(_ act: String) -> FaultJob {
    let words = act == "retry" ? [] : ["{id}", "--reason", "nobody needs it"]
    var retry = job("deadletter \(act)", ["deadletter", act] + words + clock, ["parked", "orders"], isBase: true)
    retry.query = "select parked_id, outcome, reason, decided_at from payrecon.parked_outcomes order by 1, 2"
    guard act == "retry" else {
      retry.idQuery = "select min(parked_id) from payrecon.parked_items where kind = 'orders' and parked_id like 'fault%'"
      return retry
    }
    let header = "order_id,bundle_id,product_id,user_id,status,created_at"
    retry.preparation = """
      insert into payrecon.parked_items (parked_id, kind, file, field, reason, header, raw, line, byte_count, batch_id)
      select 'fault' || place, 'orders', 'orders.csv', 'status', '"not known then"', convert_to('\(header)', 'UTF8'),
          convert_to(line, 'UTF8'), place, octet_length(line), 1
      from (
          select place, format('FO-%s,com.acme.reader,coins60,FU-%s,%s,2026-11-01T00:00:00Z', place, place,
              case when place % 2 = 0 then 'paid' else 'unheard-of' end) as line
          from generate_series(1, 400) as place
      ) as made
      """
    return retry
  }

  private static let lists = job(
    "lists add", ["lists", "add", "block", "user", "U1", "--owner", "ann", "--reason", "x", "--until", "2027-01-01T00:00:00Z"] + clock,
    ["lists"], isBase: true)

  private static let take = FaultJob(
    name: "queue take", words: ["queue", "take", "{id}", "--person", "ann"] + clock, lists: ["cases"],
    query: "select * from payrecon.case_leases",
    idQuery: "select min(case_id) from payrecon.cases_at('\(Setup.asOf)') where status = 'open'", isBase: true)

  private static let decide = FaultJob(
    name: "queue decide",
    words: ["queue", "decide", "{id}", "--action", "ban", "--outcome", "confirmed", "--reason", "third replay", "--person", "ann"] + clock,
    lists: ["cases"], query: "select * from payrecon.case_decisions", doneQuery: "select exists (select from payrecon.case_decisions)",
    againStatus: 2, idQuery: "select min(case_id) from payrecon.case_leases", isBase: true)

  /// Returns the retention job for three pages of parked input, two of windows, and twenty users without purchases for years.
  private static func retain() -> FaultJob {
    var retain = job("retain", ["retain"] + clock, ["orders", "evidence", "matches", "breaks", "signals", "cases"])
    retain.preparation = """
      insert into payrecon.users (user_id, is_tester, batch_id, created_at)
      select 'RU-' || place, false, 1, '2020-01-01' from generate_series(1, 20) as place;
      insert into payrecon.parked_items (parked_id, kind, file, field, reason, raw, line, byte_count, batch_id)
      select 'old' || place, 'orders', 'o.csv', 'f', '"r"', 'abc', place, 3, 1 from generate_series(1, 12000) as place;
      insert into payrecon.parked_outcomes (parked_id, outcome, reason, decided_at)
      select parked_id, 'discarded', 'x', '2026-02-01' from payrecon.parked_items where parked_id like 'old%';
      insert into payrecon.job_windows (
        job, window_from, window_to, scheduled_at, origin, host, attempt, lease_until, started_at, ended_at, is_final, verdict
      )
      select 'poll', at - interval '5 minutes', at, at, 'schedule', 'h', 1, at, at, at, true, 'clean'
      from generate_series(1, 7000) as place, lateral (select timestamptz '2026-01-01' + place * interval '5 minutes' as at) as t;
      insert into payrecon.job_attempts (job, window_from, window_to, attempt, host, started_at, ended_at, verdict)
      select job, window_from, window_to, 1, host, started_at, ended_at, verdict from payrecon.job_windows where job = 'poll'
      """
    retain.query = """
      select parked_id, raw, header from payrecon.parked_items
      union all select job || window_to, '', null from payrecon.job_windows where job = 'poll'
      union all select job || window_to, '', null from payrecon.job_attempts where job = 'poll'
      union all select user_id, '', null from payrecon.users
      union all select act || subject || coalesce(details::json ->> 'job_attempts', ''), '', null
        from payrecon.audit_log where act in ('rows_removed', 'person_erased')
      order by 1
      """
    retain.doneQuery = "select not exists (select from payrecon.users where user_id like 'RU-%')"
    return retain
  }

  private static let erase = FaultJob(
    name: "erase", words: ["erase", "--user", "{id}", "--actor", "dana", "--reason", "ticket 1"] + clock,
    lists: ["orders", "evidence", "matches", "breaks", "signals", "cases"],
    query: "select pseudonym from payrecon.erased_users union all select act from payrecon.audit_log where act = 'person_erased'",
    doneQuery: "select exists (select from payrecon.erased_users)",
    idQuery: "select min(user_id) from payrecon.break_events where class = 'REPLAY_MULTI_USER'")
}
