/** Sees the calls of a network from the far end. Only for tests of what is sent: nothing depends on it. */
export interface CalleeObserver {
  /** What the callee of a dial hears, frame after frame from its answer on. The frame is used again. */
  heard(dialId: string, frame: Int16Array): void;
  /** A key that we pressed, as an event, or as a tone if the callee listens for it. */
  keyHeard(dialId: string, key: string): void;
}
