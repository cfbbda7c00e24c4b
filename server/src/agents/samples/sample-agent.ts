import type { Flow } from "@parley/contract/flow";

/**
 * An agent that every new account starts with. Its texts read well with all variables and with none, because a first
 * call is often placed without any: what a variable adds brings its own preposition, such as "on Tuesday at ten".
 */
export interface SampleAgent {
  readonly name: string;
  readonly description: string;
  readonly language: string;
  readonly flow: Flow;
}
