/// The claims of M1, M3 and M5, which depend on no decision.
enum Rungs {}
