import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { meQuery } from "../../api/sign-in-state.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { settingsText } from "./text.tsx";

/** Shows content for owners only. Others see an explanation, and nothing is requested for them. */
export function ForOwners({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  const isOwner = useIsOwner();
  if (isOwner === undefined) return <SkeletonRows count={3} label={settingsText.oneMoment} />;
  if (isOwner) return children;
  return (
    <Card isFlush>
      <EmptyState icon={<Lock />} title={settingsText.forOwners} text={settingsText.onlyOwnersSee(what)} />
    </Card>
  );
}

/** Whether the member is an owner of the account; undefined until it is known. */
export function useIsOwner(): boolean | undefined {
  const { data: me } = useQuery(meQuery);
  return me && me.member.role === "owner";
}
