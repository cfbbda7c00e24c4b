import { freshEmail, PASSWORD } from "../../harness/accounts.ts";
import type { Look } from "../looks.ts";
import type { DashboardScene } from "../visitor.ts";
import { type AtPage, sitDown } from "./keyboard-scene.ts";

/** A person without a mouse, who sees the dashboard in this look and has no account yet. */
export async function comeByKeys(scene: DashboardScene, look: Look): Promise<AtPage> {
  return sitDown(scene.service.url, await scene.visit(look));
}

/** Creates an account, and ends on the overview. */
export async function signUpByKeys({ keys, open, heading, field, settled }: AtPage): Promise<string> {
  const email = freshEmail();
  await open("/sign-up", heading("Create an account"));
  await keys.write(field("Email"), email);
  await keys.write(field("Password"), PASSWORD);
  await keys.press("Enter");
  await heading("Three steps to your first call").waitFor();
  await settled();
  return email;
}

/** Makes an agent without a flow, which opens in the builder. */
export async function makeAgentByKeys({ keys, heading, button, link, dialog, field }: AtPage, name: string) {
  await keys.enter(link("Agents").filter({ visible: true }));
  await heading("Agents").waitFor();
  await keys.enter(button("New agent"));
  await keys.write(field("Name", dialog()), name);
  await keys.press("Enter");
  await heading("What should the agent do?").waitFor();
}

/** Types into the popup that is open in the builder, and takes the first of what it finds. */
export async function takeByKeys({ page, keys }: AtPage, popup: string, words: string): Promise<void> {
  await page.getByRole("dialog", { name: popup }).waitFor();
  await page.keyboard.type(words);
  await keys.press("Enter");
}

/** Goes to the fields of the node that has the focus, and writes into one of them. */
export async function writeByKeys({ page, keys, field, isAt }: AtPage, label: string, words: string): Promise<void> {
  const panel = page.getByRole("tabpanel");
  await keys.press("e");
  await isAt(field("Title", panel));
  await keys.write(field(label, panel), words);
}
