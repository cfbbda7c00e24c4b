/** Whether a call may be handed on to a number, asked before anything is dialed. Never rejects. */
export type MayDial = (to: string) => Promise<DialPermission>;

export type DialPermission =
  | { readonly isAllowed: true }
  /** `reason` is for the journal, not for the callee. */
  | { readonly isAllowed: false; readonly reason: string };
