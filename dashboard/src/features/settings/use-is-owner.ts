import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../api/sign-in-state.ts";

/** Whether the member is an owner of the account; undefined until it is known. */
export function useIsOwner(): boolean | undefined {
  const { data: me } = useQuery(meQuery);
  return me && me.member.role === "owner";
}
