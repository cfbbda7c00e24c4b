import { listMembers } from "@parley/contract/routes/members";
import { pagesOf } from "../../api/pages-of.ts";

export const membersQuery = pagesOf(["members"], listMembers);
