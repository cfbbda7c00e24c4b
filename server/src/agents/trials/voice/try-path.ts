/** The path under which a worker holds tries, and the protocol it changes to there (RFC 9110 section 7.8). */
export const TRY_PATH = "/live/tries";
export const TRY_PROTOCOL = "parley-try";
