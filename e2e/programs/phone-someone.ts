import { type ModelScript, readFacts, readUntrusted, type ToolUse } from "./scripted-model.ts";

/** What the user of the assistant asks for. */
export interface PhoneRequest {
  readonly phoneNumber: string;
  readonly requestId: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
  readonly name: string;
  readonly description: string;
  /** What the model writes for the description, one after the other until the service finds no problem. */
  readonly outlines: readonly object[];
  /** How the model plays the callee when it tests the agent. */
  readonly callee: readonly string[];
}

/** An assistant that was asked to build an agent from a description, to test it, and to phone someone with it. */
export function phoneSomeone({ outlines, ...request }: PhoneRequest): ModelScript {
  return {
    next(uses) {
      const [refused, build, call] = [
        uses.find(({ isError }) => isError),
        latest(uses, "problems"),
        latest(uses, "id"),
      ];
      if (refused) return null;
      if (build === undefined || build.problems.length > 0)
        return { wants: "builds agents", described: /^Creates an agent/ };
      if (!latest(uses, "expects")) return { wants: "tests agents", described: /^Holds a conversation with the draft/ };
      if (!latest(uses, "version")) return { wants: "publishes agents", described: /^Publishes the draft/ };
      if (!latest(uses, "gate")) return { wants: "checks numbers", described: /whether a number may be called/ };
      if (call === undefined) return { wants: "places calls", described: /^Lets an agent phone a number/ };
      if (call.phase !== "ended") return { wants: "waits for calls", described: /^Waits until a call has ended/ };
      if (call.answeredAt !== null && !transcriptOf(uses))
        return { wants: "reads transcripts", described: /^What was said in a call/ };
      return null;
    },
    know(uses) {
      const attempts = uses.filter((use) => "problems" in readFacts(use)).length;
      const agentId = latest(uses, "problems")?.agentId;
      const id = latest(uses, "id")?.id;
      return {
        ...request,
        outline: outlines[Math.min(attempts, outlines.length - 1)],
        ...(agentId === undefined ? {} : { agentId }),
        ...(id === undefined ? {} : { id }),
      };
    },
    answer(uses) {
      const refused = uses.find(({ isError }) => isError);
      if (refused) return `I was refused: ${readFacts(refused).error.message}`;
      const { id, status, endReason } = latest(uses, "id");
      const said = transcriptOf(uses);
      return [`The call ${id} is ${status}: ${endReason}.`, ...(said ? [readUntrusted(said)] : [])].join("\n");
    },
  };
}

/** The newest facts that have this field. */
function latest(uses: readonly ToolUse[], field: string) {
  return uses.map(readFacts).findLast((facts) => field in facts);
}

/** The only result that has no facts of the service, but only what was said. */
function transcriptOf(uses: readonly ToolUse[]): ToolUse | undefined {
  return uses.find((use) => Object.keys(readFacts(use)).length === 0);
}
