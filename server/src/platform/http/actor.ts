import type { Role, Scope } from "@parley/contract/scopes";
import type { Mode } from "@parley/contract/shared-fields";

/** Who makes a request. */
export type Actor = KeyActor | MemberActor;

export interface KeyActor {
  readonly kind: "key";
  readonly keyId: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly scopes: ReadonlySet<Scope>;
  readonly dailySpendCapMicros: bigint | null;
}

export interface MemberActor {
  readonly kind: "member";
  readonly memberId: string;
  readonly accountId: string;
  readonly role: Role;
  readonly isOperator: boolean;
  /** An operator who must set up a second factor before operator routes answer. */
  readonly lacksSecondFactor: boolean;
  readonly email: string | null;
  readonly signInId: string;
}

/** The actor as the audit log names it. */
export function actorId(actor: Actor): string {
  return actor.kind === "key" ? actor.keyId : actor.memberId;
}
