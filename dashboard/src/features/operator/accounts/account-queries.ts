import { listOperatorAccounts } from "@parley/contract/routes/members";
import { pagesOf } from "../../../api/send.ts";

export const operatorAccountKeys = ["operator-accounts"] as const;
export const operatorAccountsQuery = pagesOf(operatorAccountKeys, listOperatorAccounts);
