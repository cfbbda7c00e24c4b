import { getTranscript } from "@parley/contract/routes/calls";
import type { TranscriptItem } from "@parley/contract/transcripts";
import { addressOf } from "../../../api/send.ts";

/** The items of a transcript by their numbers, which are their order. */
export type NumberedItems = ReadonlyMap<number, TranscriptItem>;

/** Follows what is said and done in a test call until it is over. Returns how to stop. */
export function followCall(callId: string, onItems: (items: NumberedItems) => void, onReady: () => void): () => void {
  const items = new Map<number, TranscriptItem>();
  const source = new EventSource(addressOf(getTranscript, { params: { id: callId }, mode: "test" }));
  const tell = () => onItems(new Map([...items].toSorted(([one], [other]) => one - other)));
  source.addEventListener("item", ({ data }) => {
    const { number, item } = JSON.parse(data) as { readonly number: number; readonly item: TranscriptItem };
    items.set(number, item);
    tell();
  });
  source.addEventListener("removed", ({ data }) => {
    items.delete((JSON.parse(data) as { readonly number: number }).number);
    tell();
  });
  // The browser would connect again, and be told everything again.
  source.addEventListener("ready", () => {
    source.close();
    onReady();
  });
  return () => source.close();
}
