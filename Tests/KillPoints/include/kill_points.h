/// Loaded into a program before its libraries (LD_PRELOAD): counts the points at which its work becomes visible to others.
