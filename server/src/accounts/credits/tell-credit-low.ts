import { makeId } from "@parley/contract/ids";
import { formatUsd } from "@parley/contract/money";
import type { CreditLowBody } from "@parley/contract/webhooks";
import type { Tx } from "../../platform/database/database.ts";
import { insertAccountReport, markLowTold } from "./hold-store.ts";

/** Reports to webhooks that the balance has fallen below the account's limit: once, and again after a top-up. */
export async function tellCreditLow(tx: Tx, accountId: string): Promise<void> {
  const low = await markLowTold(tx, accountId);
  if (low === null) return;
  const body: CreditLowBody = {
    id: makeId("event"),
    type: "credit.low",
    createdAt: new Date().toISOString(),
    sequence: null,
    data: {
      balance: formatUsd(low.available_micros),
      held: formatUsd(low.held_micros),
      creditLowAt: formatUsd(low.credit_low_micros),
      currency: "USD",
    },
  };
  await insertAccountReport(tx, { id: body.id, accountId, type: body.type, body: JSON.stringify(body) });
}
