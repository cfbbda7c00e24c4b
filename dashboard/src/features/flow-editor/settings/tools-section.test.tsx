import type { Flow } from "@parley/contract/flow";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { createEditorStore } from "../model/editor-store.ts";
import { smallFlow } from "../model/testing/small-flow.ts";
import { EditorStoreProvider } from "../use-editor.ts";
import { ToolsSection } from "./tools-section.tsx";

const tool = (name: string) => ({
  name,
  description: `Does ${name}`,
  request: { method: "GET" as const, url: "https://example.com" },
});

function Section({ names }: { readonly names: readonly string[] }) {
  const [flow, setFlow] = useState<Flow>({ ...smallFlow(), tools: names.map(tool) });
  const [store] = useState(() => createEditorStore(flow));
  return (
    <EditorStoreProvider value={store}>
      <ToolsSection agentId="agent_1" flow={flow} problems={[]} onFlow={setFlow} />
    </EditorStoreProvider>
  );
}

const isOpen = (name: string) =>
  (screen.getByText(name, { selector: "summary" }).parentElement as HTMLDetailsElement).open;

test("an open tool stays open when another before it is removed", async () => {
  renderWithQueries(<Section names={["first", "second", "third"]} />);
  for (const name of ["first", "third"]) await userEvent.click(screen.getByText(name, { selector: "summary" }));
  expect([isOpen("first"), isOpen("second"), isOpen("third")]).toEqual([true, false, true]);
  const [remove] = screen.getAllByRole("button", { name: "Remove this tool" });
  if (remove) await userEvent.click(remove);
  expect(screen.queryByText("first", { selector: "summary" })).toBeNull();
  expect([isOpen("second"), isOpen("third")]).toEqual([false, true]);
});
