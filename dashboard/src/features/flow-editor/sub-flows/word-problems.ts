import type { FlowProblem } from "@parley/flow/problem";
import { subFlowsText } from "./text.ts";

type SubFlowCode = Extract<
  FlowProblem["code"],
  `${string}sub_flow${string}` | "missing_exit" | "unknown_exit" | "missing_input" | "unknown_input" | "unknown_output"
>;
interface Parts {
  part(name: string): string;
}

/** What the compiler finds about sub-flows, in words for the person who draws the flow. */
export const SUB_FLOW_WORDINGS: Readonly<Record<SubFlowCode, (found: Parts) => string>> = {
  no_sub_flow: () => subFlowsText.chooseOne,
  unknown_sub_flow: () => subFlowsText.unknown,
  sub_flow_cycle: () => subFlowsText.cycle,
  sub_flow_too_deep: ({ part }) => subFlowsText.tooDeep(part("max")),
  sub_flow_too_large: ({ part }) => {
    if (part("reason") === "size") return subFlowsText.tooManyNodes(part("nodes"));
    return part("reason") === "name"
      ? subFlowsText.nameTooLong(part("name"))
      : subFlowsText.tooManyVariables(part("max"));
  },
  sub_flow_conflict: ({ part }) => subFlowsText.conflict(part("mistake")),
  missing_exit: ({ part }) => subFlowsText.connectExit(part("exit")),
  unknown_exit: ({ part }) => subFlowsText.deleteExit(part("when")),
  missing_input: ({ part }) => subFlowsText.giveInput(part("name")),
  unknown_input: ({ part }) => subFlowsText.removeInput(part("name")),
  unknown_output: ({ part }) => subFlowsText.removeOutput(part("name")),
};
