import type { Agent } from "@parley/contract/agents";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ToastProvider } from "../../ui/feedback/toast.tsx";
import { AgentSnippets } from "./agent-snippets.tsx";

const agentOf = (publishedVersion: number | null, variables?: readonly string[]) =>
  ({ id: "agt_1", publishedVersion, flow: { nodes: [], ...(variables ? { variables } : {}) } }) as unknown as Agent;

const show = (agent: Agent) =>
  render(
    <ToastProvider>
      <AgentSnippets agent={agent} />
    </ToastProvider>,
  );

test("a call of the agent is written in every language, with its variables", async () => {
  show(agentOf(1, ["first_name"]));
  const card = screen.getByRole("region", { name: "Use from code" });
  for (const language of ["curl", "Node.js", "Python", "fetch"]) {
    await userEvent.click(screen.getByRole("radio", { name: language }));
    for (const part of ["/api/v1/calls", "agt_1", "first_name"]) expect(card.textContent).toContain(part);
  }
  expect(card.textContent).not.toContain("Publish");
});

test("an agent that cannot be called yet says so, and one without variables names none", () => {
  show(agentOf(null));
  const card = screen.getByRole("region", { name: "Use from code" });
  expect(card.textContent).toContain("Publish the agent");
  expect(card.textContent).not.toContain("variables");
});
