/// The claims of M1, M3 and M5, found without any decision.
enum Rungs {}
