/// What orders name, found without any decision: the claims of M1, M3 and M5.
enum Rungs {}
