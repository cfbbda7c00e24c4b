/** The health of a trunk, as seen by this process. */
export interface TrunkHealth {
  /** Null when it is never asked, or was not asked yet. */
  readonly isReachable: boolean | null;
  readonly isRegistered: boolean | null;
  /** An open circuit gets no calls; a half-open one gets a single call to try. */
  readonly circuit: "closed" | "open" | "half_open";
  /** The latest problem, human-readable. */
  readonly trouble: string | null;
}
