import { addClaimLink, ensureFirstAccount } from "../accounts/create-account.ts";
import { addSamples } from "./scenarios.ts";
import type { ServiceContext } from "./service-context.ts";

/** Secrets printed in the terminal only, once, and stored nowhere. */
export interface Greeting {
  /** Set until the first account is claimed. */
  readonly claimUrl?: string;
  /** Set when this start created the first account. */
  readonly first?: { readonly apiKey: string; readonly agentId: string };
}

/**
 * On an empty database, creates the first account. While it is unclaimed, every start shows a new link: a person who
 * lost the first one, or was cut off before seeing it, is not locked out. The key is not shown again; the owner creates
 * another.
 */
export async function prepareGreeting({ db, secrets, publicUrl }: ServiceContext): Promise<Greeting> {
  let agentId = "";
  const made = await ensureFirstAccount({
    db,
    secrets,
    publicUrl,
    nowMs: () => Date.now(),
    addSampleAgents: async (tx, accountId) => {
      [agentId = ""] = await addSamples(tx, accountId);
    },
  });
  if (made) return { claimUrl: made.claimUrl, first: { apiKey: made.apiKey, agentId } };
  const claimUrl = await addClaimLink({ db, secrets, publicUrl });
  return claimUrl ? { claimUrl } : {};
}

/** Prints to the terminal, outside the log, so that no log file contains secrets. */
export function printGreeting(url: string | null, { claimUrl, first }: Greeting): void {
  if (url === null) return;
  const lines = [`Parley is ready at ${url}  (reference: ${url}/docs)`];
  if (first) {
    lines.push(
      "",
      "Created a first account with 10 USD of free credit and sample agents.",
      `  claim the account:              ${claimUrl}`,
      `  test API key (shown only once): ${first.apiKey}`,
      "",
      "Place a call on the simulated phone network:",
      `  curl ${url}/api/v1/calls \\`,
      `    -H "Authorization: Bearer ${first.apiKey}" \\`,
      '    -H "Content-Type: application/json" \\',
      `    -d '{"phoneNumber":"+15550100001","agentId":"${first.agentId}","engine":"local"}'`,
    );
  } else if (claimUrl) {
    lines.push("", "The first account has not been claimed yet:", `  claim the account:  ${claimUrl}`);
  }
  console.log(`\n${lines.join("\n")}\n`);
}
