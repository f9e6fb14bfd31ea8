/// The rungs, one file each. `M0` to `M7` in PRODUCT order.
enum Rungs {}
