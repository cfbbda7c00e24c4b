import { listMembers } from "@parley/contract/routes/members";
import { pagesOf } from "../../../api/send.ts";

export const membersQuery = pagesOf(["members"], listMembers);
