/** What bounds a request, in time and size. */
export interface OutboundLimits {
  /** From the name to the last byte. */
  readonly totalMs: number;
  /** To find the name, connect and agree on TLS. */
  readonly connectMs: number;
  /** From sending the request to the beginning of the reply. */
  readonly firstByteMs: number;
  /** Between two pieces of the reply. */
  readonly gapMs: number;
  readonly requestBytesMax: number;
  readonly headerBytesMax: number;
  readonly replyBytesMax: number;
}

const MIB = 1024 * 1024;

/** For replies that are read as a whole: tools and webhooks. */
export const REPLY_LIMITS: OutboundLimits = {
  totalMs: 15_000,
  connectMs: 5000,
  firstByteMs: 14_000,
  gapMs: 14_000,
  requestBytesMax: MIB,
  headerBytesMax: 16 * 1024,
  replyBytesMax: MIB,
};

/** For replies that are read as they come: a model that thinks aloud takes longer and says more. */
export const STREAM_LIMITS: OutboundLimits = {
  totalMs: 120_000,
  connectMs: 5000,
  firstByteMs: 30_000,
  gapMs: 20_000,
  requestBytesMax: 4 * MIB,
  headerBytesMax: 16 * 1024,
  replyBytesMax: 8 * MIB,
};
