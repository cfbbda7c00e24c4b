import { ensureFirstAccount } from "../accounts/first-account.ts";
import { addSampleAgents } from "../agents/sample-agents.ts";
import type { Ground } from "./ground.ts";

/** What a first start made. It is shown once and kept nowhere. */
export interface FirstRun {
  readonly claimUrl: string;
  readonly apiKey: string;
  readonly agentId: string;
}

/** On an empty database, makes the first account; otherwise nothing. */
export async function welcomeFirstRun({ db, secrets, publicUrl }: Ground): Promise<FirstRun | null> {
  let agentId = "";
  const made = await ensureFirstAccount({
    db,
    secrets,
    publicUrl,
    nowMs: () => Date.now(),
    addSampleAgents: async (tx, accountId) => {
      [agentId = ""] = await addSampleAgents(tx, accountId);
    },
  });
  return made ? { ...made, agentId } : null;
}

/** Speaks to the person at the terminal, outside the log, so that secrets are in no log file. */
export function printWelcome(url: string, firstRun: FirstRun | null): void {
  const lines = [`Parley is ready at ${url}  (reference: ${url}/docs)`];
  if (firstRun) {
    lines.push(
      "",
      "A first account was made, with 10 USD and sample agents. These are shown this once:",
      `  claim the account:  ${firstRun.claimUrl}`,
      `  test API key:       ${firstRun.apiKey}`,
      "",
      "Place a call on the simulated phone network:",
      `  curl ${url}/api/v1/calls \\`,
      `    -H "Authorization: Bearer ${firstRun.apiKey}" \\`,
      '    -H "Content-Type: application/json" \\',
      `    -d '{"phoneNumber":"+15550100001","agentId":"${firstRun.agentId}","engine":"local"}'`,
    );
  }
  console.log(`\n${lines.join("\n")}\n`);
}
