import type { Flow } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import type { FlowProblem } from "../problem.ts";

interface AnswerRule {
  /** Describes the valid values of an exit's `when`. */
  readonly expected: string;
  /** The answer in a canonical form for comparison, or null when it does not fit. */
  canonical(when: string): string | null;
}

const NO_EXITS: AnswerRule = {
  expected: "left out: such an answer is never known beforehand (for known answers use `choice`)",
  canonical: () => null,
};

export const ANSWER_RULES: Readonly<Record<AskNode["answer"], AnswerRule>> = {
  yes_no: {
    expected: "yes or no",
    canonical: (when) => (/^(yes|no)$/.test(plain(when)) ? plain(when) : null),
  },
  number: {
    expected: "a number such as 3 or 2.5",
    canonical: (when) => (/^-?\d{1,15}(\.\d{1,6})?$/.test(plain(when)) ? String(Number(plain(when))) : null),
  },
  date: {
    expected: "a date such as 2026-01-31",
    canonical: (when) => (isDate(plain(when)) ? plain(when) : null),
  },
  time: {
    expected: "a time of day such as 09:30",
    canonical: (when) => (/^([01]\d|2[0-3]):[0-5]\d$/.test(plain(when)) ? plain(when) : null),
  },
  choice: {
    expected: "one of the things to choose from, in words",
    canonical: (when) => plain(when) || null,
  },
  digits: {
    expected: "digits such as 0042",
    canonical: (when) => (/^\d{1,40}$/.test(plain(when)) ? plain(when) : null),
  },
  phone: NO_EXITS,
  email: NO_EXITS,
  name: NO_EXITS,
  free_text: {
    expected: "left out: free text always goes on at `otherwise` (for known answers use `choice`)",
    canonical: () => null,
  },
};

/** Finds exits that no answer of the asked kind could ever take. */
export function checkExits(flow: Flow): FlowProblem[] {
  return flow.nodes.flatMap((node, index) => (node.type === "ask" ? checkAsk(node, `nodes[${index}]`) : []));
}

function checkAsk(ask: AskNode, path: string): FlowProblem[] {
  if (ask.answer === "choice" && ask.exits.length === 0) {
    const message = `The node ${ask.id} asks for a choice but has no exits, so there is nothing to choose from.`;
    return [{ code: "no_choices", nodeId: ask.id, path: `${path}.exits`, message }];
  }
  return [...checkWhens(ask, path), ...checkKeys(ask, path)];
}

function checkWhens(ask: AskNode, path: string): FlowProblem[] {
  const rule = ANSWER_RULES[ask.answer];
  const seen = new Set<string>();
  return ask.exits.flatMap(({ when }, index): FlowProblem[] => {
    const at = { nodeId: ask.id, path: `${path}.exits[${index}].when` };
    const answer = rule.canonical(when);
    if (answer === null) {
      const message = `The node ${ask.id} has an exit for "${when}"; with the answer ${ask.answer} it must be ${rule.expected}.`;
      return [{ ...at, code: "exit_does_not_fit", message, parts: { when, expected: rule.expected } }];
    }
    if (seen.has(answer)) {
      const message = `The node ${ask.id} has two exits for "${when}"; the second would never be taken.`;
      return [{ ...at, code: "duplicate_exit", message, parts: { when } }];
    }
    seen.add(answer);
    return [];
  });
}

function checkKeys(ask: AskNode, path: string): FlowProblem[] {
  const seen = new Set<string>();
  return ask.exits.flatMap(({ key }, index): FlowProblem[] => {
    if (key === undefined) return [];
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const message = `The node ${ask.id} has two exits for the key ${key}; the second would never be taken.`;
    return [{ code: "duplicate_key", nodeId: ask.id, path: `${path}.exits[${index}].key`, message, parts: { key } }];
  });
}

/** Case and spacing do not distinguish answers. */
function plain(when: string): string {
  return when.trim().replaceAll(/\s+/g, " ").toLowerCase();
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
