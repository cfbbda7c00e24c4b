import type { Flow } from "@parley/contract/flow";
import { changeScenario } from "@parley/contract/routes/scenarios";
import type { Scenario, ScenarioExpectation } from "@parley/contract/scenarios";
import { collectedBy } from "@parley/flow/names";
import { isInnerName } from "@parley/flow/sub-flows/sub-flow";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { titleOfId } from "../sub-flows/outer-node.ts";
import { scenarioKeys } from "./scenario-queries.ts";
import { scenariosText } from "./text.tsx";

interface Dangling {
  /** Its place among the expectations of the scenario. */
  readonly index: number;
  readonly text: string;
}

/**
 * The expectations about values and nodes that are not in the flow any more. What was moved into a sub-flow is still
 * found by its name. `expanded` is the flow with its sub-flows written into it; `published` still has the titles of nodes
 * that were deleted from the draft.
 */
export function findDangling(
  { expect }: Pick<Scenario, "expect">,
  expanded: Pick<Flow, "nodes">,
  published: Pick<Flow, "nodes"> = expanded,
): Dangling[] {
  // One that is not loaded, or that cannot be, may have everything in it.
  if (expanded.nodes.some(({ type }) => type === "subflow")) return [];
  const collects = [...collectedBy(expanded.nodes)];
  const nodeIds = expanded.nodes.map(({ id }) => id);
  const isThere = (names: readonly string[], name: string) =>
    names.some((each) => each === name || isInnerName(each, name));
  const explain = (one: ScenarioExpectation): string | null => {
    switch (one.type) {
      case "collected":
      case "not_collected":
        return isThere(collects, one.name) ? null : scenariosText.danglingValue(one.name, one.type === "not_collected");
      case "reached":
      case "not_reached":
        if (isThere(nodeIds, one.nodeId)) return null;
        return scenariosText.danglingNode(titleOfId(published, one.nodeId), one.type === "not_reached");
      default:
        return null;
    }
  };
  return expect.flatMap((one, index) => {
    const text = explain(one);
    return text === null ? [] : [{ index, text }];
  });
}

interface DanglingExpectationsProps {
  readonly scenario: Scenario;
  readonly expanded: Flow;
  /** The published flow, if there is one and it is loaded. */
  readonly published: Flow | undefined;
  onEdit?(): void;
}

/** What a scenario expects of parts that were cut out of the flow, each with a way to mend it. */
export function DanglingExpectations({ scenario, expanded, published, onEdit }: DanglingExpectationsProps) {
  const remove = useRemoval(scenario);
  const dangling = findDangling(scenario, expanded, published);
  if (dangling.length === 0) return null;
  return (
    <ul className="space-y-2 border-t border-line px-3.5 py-2.5 text-sm">
      {dangling.map(({ index, text }) => (
        <li key={index} className="flex gap-2">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning-text" />
          <div className="min-w-0 space-y-1.5">
            <p className="break-words">{text}</p>
            <div className="flex flex-wrap gap-2">
              {scenario.expect.length > 1 ? (
                <Button size="small" onClick={() => remove(index)}>
                  {scenariosText.removeDangling}
                </Button>
              ) : null}
              {onEdit ? (
                <Button size="small" look="quiet" onClick={onEdit}>
                  {scenariosText.chooseAnother}
                </Button>
              ) : null}
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Removes an expectation immediately and offers an undo that puts it back. A scenario keeps at least one. */
function useRemoval({ id, agentId, name, expect }: Scenario): (index: number) => void {
  const queries = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (next: readonly ScenarioExpectation[]) =>
      send(changeScenario, { params: { id }, body: { expect: [...next] } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: scenarioKeys.list(agentId) }),
    onError: (error) => toast({ text: errorText(error) }),
  });
  return (index) =>
    change.mutate(
      expect.filter((_, at) => at !== index),
      { onSuccess: () => toast({ text: scenariosText.danglingRemoved(name), undo: () => change.mutate(expect) }) },
    );
}
