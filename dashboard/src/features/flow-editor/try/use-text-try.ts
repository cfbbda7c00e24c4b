import type { CalleeStep, ToolReplies } from "@parley/contract/callee-steps";
import type { Flow } from "@parley/contract/flow";
import { tryAgent } from "@parley/contract/routes/try";
import type { TryReply } from "@parley/contract/try";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../../../api/send.ts";
import type { EditorStore } from "../model/editor-store.ts";
import type { SampleValues } from "../sample-values.ts";
import { replyOf, type TryOutcome } from "./scenario-of-try.ts";
import { endLine, lineOfStep, linesOfEvents, type TryLine } from "./try-lines.ts";

/** A try by text as far as it has come. */
interface TextTry {
  /** The flow and the values it was begun with: both stay as they are until it is begun again. */
  readonly flow: Flow;
  readonly variables: SampleValues;
  readonly lines: readonly TryLine[];
  readonly steps: readonly CalleeStep[];
  readonly path: readonly string[];
  readonly isSuppressed: boolean;
  readonly toolReplies: ToolReplies;
  readonly reply: TryReply;
}

interface Parts {
  readonly agentId: string;
  readonly store: EditorStore;
}

/** Holds a try by text against the real runner, and shows on the canvas where it is. */
export function useTextTry({ agentId, store }: Parts) {
  const [current, setCurrent] = useState<TextTry | null>(null);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({
      before,
      step,
      variables,
    }: {
      before: TextTry | null;
      step: CalleeStep | null;
      variables: SampleValues;
    }) => {
      const flow = before?.flow ?? store.getSnapshot().flow;
      return takeTurn(agentId, flow, before, step, before?.variables ?? variables);
    },
    onSuccess: (next) => {
      setCurrent(next);
      store.setActiveNode(next.reply.nodeId);
      store.setPath(next.path);
    },
  });
  return {
    current,
    isPending,
    error,
    /** Begins anew; a machine may answer in place of a person. */
    begin: (variables: SampleValues, machine: CalleeStep | null = null) => {
      setCurrent(null);
      mutate({ before: null, step: machine, variables });
    },
    step: (step: CalleeStep) => (current ? mutate({ before: current, step, variables: current.variables }) : undefined),
    leave: () => {
      reset();
      setCurrent(null);
      store.setActiveNode(null);
      store.setPath([]);
    },
  };
}

async function takeTurn(
  agentId: string,
  flow: Flow,
  before: TextTry | null,
  step: CalleeStep | null,
  variables: SampleValues,
): Promise<TextTry> {
  const filled = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const reply = await send(tryAgent, {
    params: { id: agentId },
    body: {
      flow,
      ...(before ? { state: before.reply.state } : { variables: filled }),
      ...(step ? { callee: step } : {}),
    },
  });
  return {
    flow,
    variables,
    lines: [
      ...(before?.lines ?? []),
      ...(step ? [lineOfStep(step)] : []),
      ...linesOfEvents(reply.events),
      ...(reply.ended ? [endLine(reply.ended.reason)] : []),
    ],
    steps: [...(before?.steps ?? []), ...(step ? [step] : [])],
    path: [...(before?.path ?? []), ...reply.path],
    toolReplies: {
      ...before?.toolReplies,
      ...Object.fromEntries(
        reply.events.flatMap((event) => (event.type === "tool_result" ? [[event.name, replyOf(event)]] : [])),
      ),
    },
    isSuppressed: before?.isSuppressed === true || reply.events.some(({ type }) => type === "suppressed"),
    reply,
  };
}

export function outcomeOf({ steps, variables, path, isSuppressed, toolReplies, reply }: TextTry): TryOutcome {
  return {
    steps,
    variables,
    path,
    isSuppressed,
    toolReplies,
    collected: reply.collected,
    endReason: reply.ended?.reason ?? null,
  };
}
