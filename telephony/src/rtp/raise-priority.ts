import type { Libc } from "./sockets/libc.ts";

/** On Linux a priority belongs to a thread, and 0 names the one that asks. */
const PRIO_PROCESS = 0;
const THIS_THREAD = 0;
/** Of -20 to 19. It outweighs ordinary threads some ten times, and does not shut them out. */
const NICENESS = -10;

/**
 * Lets this thread go first when the machine has more to do than it can: a late packet is heard, a late reply of the API
 * is not. Only those may who have the right to (CAP_SYS_NICE); for all others nothing changes.
 */
export function raisePriority(libc: Libc): boolean {
  return libc.setpriority(PRIO_PROCESS, THIS_THREAD, NICENESS) === 0;
}
