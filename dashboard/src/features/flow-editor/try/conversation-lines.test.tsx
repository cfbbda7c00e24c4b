import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { TalkLines } from "./conversation-lines.tsx";
import { editorTryText } from "./text.tsx";
import { agentLine, calleeLine } from "./try-lines.ts";

const lines = [agentLine("Will you come?", { nodeId: null }), calleeLine("Yes.")];
const items = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);

test("a screen reader hears that the words of a try are one's own", () => {
  render(<TalkLines lines={lines} onVisit={() => undefined} />);
  expect(items()).toEqual(["Agent: Will you come?", "You: Yes."]);
});

test("in a simulated call it hears that they are those of the callee", () => {
  render(<TalkLines lines={lines} callee={editorTryText.calleeSaid} onVisit={() => undefined} />);
  expect(items()).toEqual(["Agent: Will you come?", "Callee: Yes."]);
});
