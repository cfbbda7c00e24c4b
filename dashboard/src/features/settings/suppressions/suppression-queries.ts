import { listSuppressions } from "@parley/contract/routes/account";
import { pagesOf } from "../../../api/send.ts";

export const suppressionKeys = { lists: ["suppressions"] as const };

export const suppressionsQuery = (startsWith: string) =>
  pagesOf([...suppressionKeys.lists, startsWith], listSuppressions, {
    query: { startsWith: startsWith === "" ? undefined : startsWith },
  });
