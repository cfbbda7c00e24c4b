import type { Brain, CalleeTurn, ReplyPart } from "../../ports/brain.ts";

/** One thing that was said or done in a conversation by text. */
type TalkItem =
  | { readonly by: "callee"; readonly turn: CalleeTurn }
  /** All that the agent said in one reply. */
  | { readonly by: "agent"; readonly text: string };

export interface Talk {
  readonly items: readonly TalkItem[];
  /** What the agent said, one text for each reply, the opening first. */
  readonly replies: readonly string[];
  /** Everything the agent did, in order. */
  readonly parts: readonly ReplyPart[];
  /** What was collected, the last value of each name. */
  readonly collected: Readonly<Record<string, string | number | boolean | null>>;
  /** Why the agent ended it, null while it continues. */
  readonly ended: Extract<ReplyPart, { type: "end" }>["reason"] | null;
}

/** A line of the callee: words, keys such as `[1]`, or a turn of any other kind. `[silence]` and `[mumbles]` are such turns. */
export type TalkLine = string | CalleeTurn;

/**
 * Holds a conversation by text: each line is a turn of the callee, and everything the agent says is heard to its end. It
 * stops when the agent ends it, or after the last line.
 */
export async function talk(brain: Brain, lines: readonly TalkLine[]): Promise<Talk> {
  const signal = new AbortController().signal;
  const items: TalkItem[] = [];
  const parts: ReplyPart[] = [];
  let turnId = 1;
  let silences = 0;
  const hear = async (reply: AsyncIterable<ReplyPart>) => {
    const given: ReplyPart[] = [];
    for await (const part of reply) given.push(part);
    const text = given.flatMap((part) => (part.type === "say" ? [part.text] : [])).join(" ");
    brain.noteHeard(turnId, { text, wasCut: false });
    turnId += 1;
    parts.push(...given);
    items.push({ by: "agent", text });
  };
  brain.permitEffects();
  await hear(brain.open(turnId, signal));
  for (const line of lines) {
    if (endOf(parts) !== null) break;
    const turn = typeof line === "string" ? turnOf(line, silences + 1) : line;
    silences = turn.type === "silent" ? turn.count : 0;
    items.push({ by: "callee", turn });
    await hear(brain.reply(turnId, turn, signal));
  }
  return {
    items,
    replies: items.flatMap((item) => (item.by === "agent" ? [item.text] : [])),
    parts,
    collected: Object.fromEntries(
      parts.flatMap((part) => (part.type === "collected" ? [[part.name, part.value] as const] : [])),
    ),
    ended: endOf(parts),
  };
}

function endOf(parts: readonly ReplyPart[]): Talk["ended"] {
  const end = parts.find((part) => part.type === "end");
  return end === undefined ? null : end.reason;
}

/** A line as a turn. */
export function turnOf(line: string, silences = 1): CalleeTurn {
  const keys = /^\[([0-9*#]+)\]$/.exec(line)?.[1];
  if (keys !== undefined) return { type: "pressed", keys };
  if (line === "[silence]") return { type: "silent", count: silences };
  if (line === "[mumbles]") return { type: "unclear" };
  return { type: "said", text: line, best: null };
}
