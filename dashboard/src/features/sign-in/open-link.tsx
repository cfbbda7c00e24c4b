import type { OpenLink } from "@parley/contract/accounts";
import { checkLink } from "@parley/contract/routes/members";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError } from "../../api/api-error.ts";
import { send } from "../../api/send.ts";
import { LoadError, Notice } from "../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { signInText } from "./text.tsx";

type LinkKind = OpenLink["kind"];

/** The link that a page was opened by. It is checked, not used. */
export function useOpenLink(token: string | undefined, kinds: readonly LinkKind[]) {
  const { data, error, refetch } = useQuery({
    queryKey: ["link", token],
    queryFn: ({ signal }) => send(checkLink, { body: { token: token ?? "" }, signal }),
    enabled: token !== undefined,
    retry: false,
    // It must not be checked again after the form has used it.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isOfAnotherPage = data !== undefined && !kinds.includes(data.kind);
  const isGone = isOfAnotherPage || (error instanceof ApiError && error.code === "not_found");
  return { token, link: isOfAnotherPage ? undefined : data, error, isGone, refetch };
}

interface LinkGateProps {
  readonly state: ReturnType<typeof useOpenLink>;
  /** How to get another link. */
  readonly renewal: ReactNode;
  children(link: OpenLink): ReactNode;
}

/** Shows the form of a link that can be used. Of any other link it says so, before anything has to be typed. */
export function LinkGate({ state: { token, link, error, isGone, refetch }, renewal, children }: LinkGateProps) {
  if (token === undefined) return <Notice tone="warning">{signInText.linkIncomplete}</Notice>;
  if (isGone) {
    return (
      <Notice tone="danger">
        {signInText.linkGone} {renewal}
      </Notice>
    );
  }
  if (error) return <LoadError error={error} onRetry={refetch} />;
  return link ? children(link) : <SkeletonRows count={2} label={signInText.checkingLink} />;
}
