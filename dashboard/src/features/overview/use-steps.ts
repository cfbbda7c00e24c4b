import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { meQuery } from "../../api/sign-in-state.ts";
import { useKeptFlag } from "../../app/kept-flag.ts";
import { keysQuery } from "../api-keys/key-queries.ts";
import { hasTestCallQuery } from "./usage-queries.ts";

export interface Steps {
  readonly hasHeard: boolean;
  readonly hasKey: boolean;
  readonly hasCalled: boolean;
  /** Whether they are worth showing: not all are done, and nobody has put them away. Null while that is not known. */
  readonly isOpen: boolean | null;
  markHeard(): void;
  putAway(isAway: boolean): void;
}

/** How far a new account has come. */
export function useSteps(): Steps {
  const { data: me } = useQuery(meQuery);
  const keys = useInfiniteQuery(keysQuery);
  const call = useQuery(hasTestCallQuery);
  const [hasHeard, keepHeard] = useKeptFlag("heard", me?.account.id);
  const [isAway, putAway] = useKeptFlag("steps-away", me?.account.id);
  const hasKey = keys.data?.pages.some(({ rows }) => rows.length > 0) ?? false;
  const hasCalled = call.data ?? false;
  const isKnown = !keys.isPending && !call.isPending;
  return {
    hasHeard,
    hasKey,
    hasCalled,
    isOpen: isAway ? false : isKnown ? !(hasHeard && hasKey && hasCalled) : null,
    markHeard: () => keepHeard(true),
    putAway,
  };
}
