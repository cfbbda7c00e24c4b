import { COMMENT_COLORS, type FlowComment } from "@parley/contract/flow";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { NodeProps } from "@xyflow/react";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { createEditorStore } from "../model/editor-store.ts";
import { smallFlow } from "../model/testing/small-flow.ts";
import { EditorStoreProvider, useEditor } from "../use-editor.ts";
import type { CommentNode } from "./canvas-elements.ts";
import { CommentCard } from "./canvas-shapes.tsx";

vi.mock("@xyflow/react", async (original) => ({
  ...(await original<object>()),
  NodeToolbar: ({ children }: { readonly children: ReactNode }) => <div role="toolbar">{children}</div>,
  NodeResizer: () => null,
}));

const comment: FlowComment = { id: "note", text: "Ask Ada.", position: { x: 0, y: 0 } };

function open(selected: boolean) {
  const store = createEditorStore({ ...smallFlow(), comments: [comment] });
  function Card() {
    const [shown] = useEditor(store, ({ flow }) => flow.comments) ?? [];
    const props = { data: { comment: shown }, selected } as unknown as NodeProps<CommentNode>;
    return (
      <EditorStoreProvider value={store}>
        <CommentCard {...props} />
      </EditorStoreProvider>
    );
  }
  render(<Card />);
  return store;
}

const cardColor = () => screen.getByLabelText("Comment").closest(".comment")?.getAttribute("data-color");
const pressed = () =>
  screen
    .getAllByRole("button")
    .filter((button) => button.getAttribute("aria-pressed") === "true")
    .map((button) => button.getAttribute("data-color"));

test("a comment takes the color that is chosen, each as one step that can be undone", async () => {
  const store = open(true);
  expect([cardColor(), pressed()]).toEqual(["yellow", ["yellow"]]);
  const others = COMMENT_COLORS.filter((color) => color !== "yellow");
  for (const color of others) {
    const button = screen.getAllByRole("button").find((each) => each.getAttribute("data-color") === color);
    if (!button) throw new Error(`there is no button for ${color}`);
    await userEvent.click(button);
    expect([cardColor(), pressed()]).toEqual([color, [color]]);
    expect(store.getSnapshot().flow.comments).toEqual([{ ...comment, color }]);
  }
  for (const _ of others) store.undo();
  expect(store.getSnapshot().flow.comments).toEqual([comment]);
});

test("the colors are offered only while the comment is selected", () => {
  open(false);
  expect(screen.queryByRole("toolbar")).toBeNull();
});
