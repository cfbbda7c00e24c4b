import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderWithQueries } from "../../testing/render-with-queries.tsx";
import { CreateAgentDialog } from "./create-agent-dialog.tsx";

const navigate = vi.hoisted(() => vi.fn());
vi.mock("@tanstack/react-router", () => ({ useNavigate: () => navigate }));

test("a new agent is opened in the builder, because it still says nothing", async () => {
  vi.stubGlobal("fetch", async (_: string, init?: RequestInit) =>
    init?.method === "POST"
      ? Response.json({ success: true, data: { id: "agt_new" } })
      : Response.json({ success: true, data: [], nextCursor: null }),
  );
  renderWithQueries(<CreateAgentDialog onClose={vi.fn()} />);
  await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "Reminder");
  await userEvent.click(screen.getByRole("button", { name: "Create agent" }));
  await vi.waitFor(() =>
    expect(navigate).toHaveBeenCalledWith({ to: "/agents/$agentId/build", params: { agentId: "agt_new" } }),
  );
});
