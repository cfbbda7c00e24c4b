/** A signal in the sound of the line. Times are positions of the leg. */
export type HeardTone =
  /** One tone, then silence. */
  | { readonly name: "beep"; readonly frequencyHz: number; readonly startMs: number; readonly endMs: number }
  /** A fax or a modem answers (T.30 CED, V.25). */
  | { readonly name: "fax_answer"; readonly endMs: number }
  /** One burst of what a fax sends when it calls (T.30 CNG). */
  | { readonly name: "fax_call"; readonly endMs: number }
  /** The three tones before an announcement of the network (E.180). */
  | { readonly name: "announcement"; readonly endMs: number }
  | { readonly name: "busy"; readonly endMs: number };
