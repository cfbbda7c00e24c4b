import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderWithQueries } from "../../testing/render-with-queries.tsx";
import { LinkGate, useOpenLink } from "./open-link.tsx";

const refusal = (code: string, message: string, status: number) =>
  Response.json({ error: { code, message, retryable: status === 503, requestId: "req_1" } }, { status });
const gone = () => refusal("not_found", "This link is no longer valid.", 404);
const linkOf = (kind: string, email: string | null) => Response.json({ data: { kind, email } });

function InvitationPage({ token }: { readonly token: string | undefined }) {
  return (
    <LinkGate state={useOpenLink(token, ["claim", "invite"])} renewal="Ask for another.">
      {({ email }) => <p>Password of {email}</p>}
    </LinkGate>
  );
}

function open(token: string | undefined, ...answers: Response[]) {
  const fetched = vi.fn(async (_address: string, _init: RequestInit) => answers.shift() ?? gone());
  vi.stubGlobal("fetch", fetched);
  renderWithQueries(<InvitationPage token={token} />);
  return fetched;
}

test("a link that can be used shows its form, and was only checked for that", async () => {
  const fetched = open("lt_open", linkOf("invite", "ada@example.com"));
  await screen.findByText("Password of ada@example.com");
  expect(fetched.mock.calls.map(([address]) => address)).toEqual(["/auth/links/check"]);
});

test.each([
  ["was used or has expired", gone()],
  ["belongs to another page", linkOf("reset", "ada@example.com")],
])("a link that %s is refused before anything is typed", async (_, answer) => {
  open("lt_gone", answer);
  expect((await screen.findByRole("alert")).textContent).toBe(
    "This link has already been used or has expired. Ask for another.",
  );
  expect(screen.queryByText(/Password/)).toBeNull();
});

test("a link that could not be checked is not called used, and is checked again on request", async () => {
  open("lt_open", refusal("unavailable", "The service is not ready.", 503), linkOf("claim", "ada@example.com"));
  expect((await screen.findByRole("alert")).textContent).toContain("The service is not ready.");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Password of ada@example.com");
});

test("an address without a token asks for the whole link, and nothing is requested", async () => {
  const fetched = open(undefined);
  await screen.findByText("This link is incomplete. Copy the whole link and open it again.");
  expect(fetched).not.toHaveBeenCalled();
});
