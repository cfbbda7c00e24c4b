/**
 * The state of the draft between this page and the service.
 *
 * - `saved`: the service has everything.
 * - `waiting`: something was changed; it is saved after a pause in the changes.
 * - `saving`: a save is in progress; later changes are saved after it.
 * - `away`: the service could not be reached; it is retried with growing delays.
 * - `overtaken`: another member saved first, or the same one elsewhere. Nothing is saved until the user decides.
 * - `refused`: the service rejects it; the next change is tried again.
 */
export type DraftState =
  | { readonly kind: "saved"; readonly revision: number }
  | { readonly kind: "waiting"; readonly revision: number }
  | {
      readonly kind: "saving";
      readonly revision: number;
      readonly isChangedSince: boolean;
      /** How often in a row the service could not be reached. */
      readonly attempts: number;
    }
  | { readonly kind: "away"; readonly revision: number; readonly attempts: number }
  | {
      readonly kind: "overtaken";
      readonly revision: number;
      readonly message: string;
      /** Whether it was the same member, elsewhere. */
      readonly isByYou: boolean;
    }
  | { readonly kind: "refused"; readonly revision: number; readonly message: string };

export type DraftEvent =
  | { readonly kind: "changed" }
  /** The delay is over, or an immediate save was requested. */
  | { readonly kind: "due" }
  | { readonly kind: "saved"; readonly revision: number }
  | { readonly kind: "unreachable" }
  | { readonly kind: "overtaken"; readonly message: string; readonly isByYou: boolean }
  | { readonly kind: "refused"; readonly message: string }
  /** The user resolved a conflict, or restored an earlier draft. */
  | { readonly kind: "decided"; readonly revision: number; readonly mustSave: boolean };

type DraftEffect = { readonly kind: "wait"; readonly ms: number } | { readonly kind: "save" };

/** A pause between two thoughts: shorter saves too often, longer is lost more easily. */
export const PAUSE_MS = 800;
const AWAY_FIRST_MS = 2000;
const AWAY_MAX_MS = 30_000;

const NOTHING: readonly DraftEffect[] = [];

export function stepDraft(state: DraftState, event: DraftEvent): readonly [DraftState, readonly DraftEffect[]] {
  const { revision } = state;
  switch (event.kind) {
    case "changed":
      return onChange(state);
    case "due":
      if (state.kind !== "waiting" && state.kind !== "away") return [state, NOTHING];
      return [startSaving(revision, state.kind === "away" ? state.attempts : 0), [{ kind: "save" }]];
    case "decided":
      return event.mustSave
        ? [startSaving(event.revision, 0), [{ kind: "save" }]]
        : [{ kind: "saved", revision: event.revision }, NOTHING];
    default:
      return state.kind === "saving" ? onAnswer(state, event) : [state, NOTHING];
  }
}

function startSaving(revision: number, attempts: number): DraftState {
  return { kind: "saving", revision, isChangedSince: false, attempts };
}

function onChange(state: DraftState): readonly [DraftState, readonly DraftEffect[]] {
  switch (state.kind) {
    case "saving":
      return [{ ...state, isChangedSince: true }, NOTHING];
    // The save is retried in any case, and the revision prevents overwriting another member's work.
    case "away":
    case "overtaken":
      return [state, NOTHING];
    case "saved":
    case "waiting":
    case "refused":
      return [{ kind: "waiting", revision: state.revision }, [{ kind: "wait", ms: PAUSE_MS }]];
  }
}

type Answer = Exclude<DraftEvent, { kind: "changed" | "due" | "decided" }>;

function onAnswer(
  state: Extract<DraftState, { kind: "saving" }>,
  answer: Answer,
): readonly [DraftState, readonly DraftEffect[]] {
  const { revision, attempts } = state;
  switch (answer.kind) {
    case "saved":
      return state.isChangedSince
        ? [{ kind: "waiting", revision: answer.revision }, [{ kind: "wait", ms: PAUSE_MS }]]
        : [{ kind: "saved", revision: answer.revision }, NOTHING];
    case "unreachable":
      return [
        { kind: "away", revision, attempts: attempts + 1 },
        [{ kind: "wait", ms: Math.min(AWAY_FIRST_MS * 2 ** attempts, AWAY_MAX_MS) }],
      ];
    case "overtaken":
      return [{ kind: "overtaken", revision, message: answer.message, isByYou: answer.isByYou }, NOTHING];
    case "refused":
      return [{ kind: "refused", revision, message: answer.message }, NOTHING];
  }
}
