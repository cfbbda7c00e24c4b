import type { Flow } from "@parley/contract/flow";
import type { NewScenario } from "@parley/contract/scenarios";

/**
 * An agent that every new account starts with. Its texts read well with all variables and with none, because a first
 * call is often placed without any: what a variable adds brings its own preposition, such as "on Tuesday at ten".
 */
export interface SampleAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly language: string;
  readonly flow: Flow;
  /** What callees do, and the expected result. */
  readonly scenarios: readonly NewScenario[];
}
