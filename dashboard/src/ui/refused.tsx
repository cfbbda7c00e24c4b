import { inWords, Refusal } from "../api/refusal.ts";
import { Notice } from "./notice.tsx";

/** Says why a form was refused, unless each field at fault says it already. */
export function Refused({ error, named = [] }: { readonly error: unknown; readonly named?: readonly string[] }) {
  if (!error) return null;
  const fields = error instanceof Refusal ? Object.keys(error.fields) : [];
  if (fields.length > 0 && fields.every((field) => named.includes(field))) return null;
  return <Notice tone="danger">{inWords(error)}</Notice>;
}
