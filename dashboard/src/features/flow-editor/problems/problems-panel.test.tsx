import type { Flow } from "@parley/contract/flow";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { FlowNotes } from "../model/flow-notes.ts";
import { ProblemsPanel, useExitWarnings, withExitWarnings } from "./problems-panel.tsx";
import { wordNotes } from "./word-notes.ts";

const problem = { path: "nodes[1].text", message: "The question is missing.", nodeId: "ask", place: "Which day?" };
const warning = { path: "settings.voice", message: "This voice is not set up.", nodeId: null, place: null };

function renderPanel(notes: { problems?: readonly object[]; warnings?: readonly object[] }, props: object = {}) {
  const onGoTo = vi.fn();
  const all = { problems: [], warnings: [], ...notes } as unknown as FlowNotes;
  render(
    <ProblemsPanel notes={all} isChecked isCurrent refusal={null} onGoTo={onGoTo} onFix={() => undefined} {...props} />,
  );
  return onGoTo;
}

test("before the first check it says that the flow is being checked, not that it has no problems", () => {
  renderPanel({}, { isChecked: false });
  expect(screen.getByRole("status").textContent).toBe("Checking the flow…");
  expect(screen.queryByText("No problems")).toBeNull();
});

test.each([
  [{}, "No problems"],
  [{ problems: [problem] }, "1 problem"],
  [{ warnings: [warning, { ...warning, path: "settings" }] }, "2 warnings"],
  [{ problems: [problem], warnings: [warning] }, "1 problem, 1 warning"],
])("the count of %o is %s", (notes, text) => {
  renderPanel(notes);
  expect(screen.getByRole("status").textContent).toBe(text);
});

test("the list opens by its button, and a problem of a node goes to the node", async () => {
  const onGoTo = renderPanel({ problems: [problem], warnings: [warning] });
  expect(screen.queryByText("The question is missing.")).toBeNull();
  await userEvent.click(screen.getByRole("button", { expanded: false }));
  expect(screen.getAllByRole("listitem")).toHaveLength(2);
  await userEvent.click(screen.getByRole("button", { name: /The question is missing/ }));
  expect(onGoTo.mock.calls).toEqual([["ask"]]);
});

test("a warning about no node is text and not a button that leads nowhere", async () => {
  renderPanel({ warnings: [warning] });
  await userEvent.click(screen.getByRole("button", { expanded: false }));
  expect(screen.getByText("This voice is not set up.")).toBeDefined();
  expect(screen.queryByRole("button", { name: /This voice/ })).toBeNull();
});

test("why publishing failed is announced immediately", () => {
  renderPanel({}, { refusal: "Another version was published meanwhile." });
  expect(screen.getByRole("alert").textContent).toBe("Another version was published meanwhile.");
});

test("what can be fixed has a button", async () => {
  const onFix = vi.fn();
  const fix = { kind: "connect", label: "Connect…", nodeId: "ask", exitId: "next" };
  renderPanel({ problems: [{ ...problem, fix }] }, { onFix });
  await userEvent.click(screen.getByRole("button", { expanded: false }));
  expect(screen.getByText("Which day?:")).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Connect…" }));
  expect(onFix.mock.calls).toEqual([[fix]]);
});

test("a fix waits until the flow was checked again", async () => {
  const fix = { kind: "connect", label: "Connect…", nodeId: "ask", exitId: "next" };
  renderPanel({ problems: [{ ...problem, fix }] }, { isCurrent: false });
  await userEvent.click(screen.getByRole("button", { expanded: false }));
  expect(screen.getByRole("button", { name: "Connect…" }).getAttribute("aria-disabled")).toBe("true");
});

test("a new node that is not finished is not a problem yet, and not done either", () => {
  renderPanel({}, { isUnfinished: true });
  expect(screen.getByRole("status").textContent).toBe("The new node is not finished yet");
});

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
