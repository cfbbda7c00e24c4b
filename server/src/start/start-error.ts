/** A reason not to start that the person who started it can mend. */
export class StartError extends Error {
  override readonly name = "StartError";
}
