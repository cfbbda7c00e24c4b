import { listOperatorAccounts } from "@parley/contract/routes/members";
import { pagesOf } from "../../api/pages-of.ts";

export const operatorAccountKeys = ["operator-accounts"] as const;
export const operatorAccountsQuery = pagesOf(operatorAccountKeys, listOperatorAccounts);
