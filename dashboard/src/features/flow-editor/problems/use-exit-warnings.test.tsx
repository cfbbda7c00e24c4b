import type { Flow } from "@parley/contract/flow";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ProblemsPanel } from "./problems-panel.tsx";
import { useExitWarnings, withExitWarnings } from "./use-exit-warnings.ts";
import { wordNotes } from "./word-notes.ts";

const message = 'The node visit cannot tell the exits "come" and "stay" apart: "sure" and "of course" both mean yes.';
const FOUND = { param: "flow.nodes[1].exits[1].phrases[0]", code: "indistinct_exits", message };

const flow: Flow = {
  schemaVersion: 1,
  variables: [],
  nodes: [
    { id: "start", type: "start", next: "visit" },
    {
      id: "visit",
      type: "ask",
      text: "Will you come?",
      answer: "choice",
      exits: [
        { when: "come", phrases: ["sure"], next: "bye" },
        { when: "stay", phrases: ["of course"], next: "bye" },
      ],
      otherwise: "bye",
    },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
};

function Editor({ edited, onGoTo }: { readonly edited: Flow; onGoTo(nodeId: string): void }) {
  const found = useExitWarnings({ id: "agent_1", engine: null, language: "en-US" }, edited, 0);
  const notes = wordNotes(edited, withExitWarnings({ problems: [], warnings: [] }, found));
  return <ProblemsPanel notes={notes} isChecked isCurrent refusal={null} onGoTo={onGoTo} onFix={() => undefined} />;
}

function open(reply: () => Response) {
  const fetched = vi.fn(async (_address: string, _init: RequestInit) => reply());
  vi.stubGlobal("fetch", fetched);
  const onGoTo = vi.fn();
  const { rerender } = render(<Editor edited={flow} onGoTo={onGoTo} />);
  return { fetched, onGoTo, edit: (edited: Flow) => rerender(<Editor edited={edited} onGoTo={onGoTo} />) };
}

test("exits that the service cannot distinguish are in the list of problems, and link to their question", async () => {
  const { fetched, onGoTo } = open(() => Response.json({ data: { problems: [], warnings: [FOUND] } }));
  expect(await screen.findByText("1 warning")).toBeDefined();
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/v1/agents/agent_1/check");
  await userEvent.click(screen.getByRole("button", { expanded: false }));
  await userEvent.click(screen.getByRole("button", { name: /cannot tell the exits "come" and "stay" apart/ }));
  expect(onGoTo.mock.calls).toEqual([["visit"]]);
});

test("findings about a question disappear as soon as the question is changed", async () => {
  const { edit } = open(() => Response.json({ data: { problems: [], warnings: [FOUND] } }));
  await screen.findByText("1 warning");
  const elsewhere = flow.nodes.map((node) => (node.id === "bye" ? { ...node, label: "End" } : node));
  edit({ ...flow, nodes: elsewhere });
  expect(screen.getByText("1 warning")).toBeDefined();
  edit({ ...flow, nodes: elsewhere.map((node) => (node.id === "visit" ? { ...node, label: "Visit" } : node)) });
  expect(screen.getByText("No problems")).toBeDefined();
});

test("what the compiler already found is not listed twice", () => {
  const known = { code: "indistinct_exits", nodeId: "visit", path: "nodes[1].exits[1].phrases[0]", message } as const;
  const notes = { problems: [], warnings: [known] };
  expect(withExitWarnings(notes, [known, { ...known, code: "unused_variable" }])).toBe(notes);
});
