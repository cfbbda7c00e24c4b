import { locale } from "../../../languages/language.ts";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // limits-page.tsx
  limitsAndHours: "Limits and hours",
  lead: "Call limits, calling hours, retention, disclosure and pronunciation.",
  forOwners: "its calling hours and retention",
  loadingSettings: "Loading settings",
  testCalls: "Test calls",
  liveCalls: "Live calls",
  loadingLimits: "Loading limits",
  concurrentCalls: "Concurrent calls",
  queuedCalls: "Queued calls",
  newCallsPerSecond: "New calls per second",
  requestsPerSecond: "Requests per second",
  beyondTheLimits:
    "Calls beyond these limits are queued; when the queue is full, further calls are refused. The operator of this installation can raise the limits.",
  usedOf: (used: number, of: number) => `${used.toLocaleString(locale)} of ${of.toLocaleString(locale)}`,
  disclosureExample: "I am an automated assistant, and this call is recorded.",
  noVariablesHere: "Variables cannot be used here: not every call has them.",
  defaultDisclosureSaved: "Agents use the default disclosure.",
  disclosureSaved: "Agents use your disclosure.",
  disclosure: "Disclosure",
  disclosureLead:
    "Every agent says once that it is automated, and that the call is recorded if it is. This text is used by agents without their own; the sample agents have one. It is spoken as written, in every language.",
  text: "Text",
  emptyForDefault: "Leave empty for the default text.",
  saveDisclosure: "Save disclosure",
  save: "Save",
  pronunciationsSaved: "Agents say these words as listed.",
  pronunciation: "Pronunciation",
  pronunciationLead:
    "How all agents pronounce names and other words: a respelling such as shi-VAWN, or IPA between slashes. An agent can have its own list.",
  savePronunciations: "Save pronunciations",
  callingHoursSaved: (start: string, end: string) => `People are called from ${start} until ${end}.`,
  callingHoursRemoved: "Only the installation’s hours apply.",
  callingHours: "Calling hours",
  callingHoursLead:
    "People are called within these hours in their own time zone, as far as the number reveals it. Calls placed outside these hours wait until they begin. The installation’s own hours apply as well.",
  narrowerHours: "Narrower hours for this account",
  from: "From",
  until: "Until",
  endBeforeStart: "The end must be after the start.",
  saveCallingHours: "Save calling hours",

  // retention-card.tsx
  retentionSaved: "Retention saved.",
  retention: "Retention",
  retentionLead:
    "In days after a call ends. Older recordings and transcripts are permanently deleted within an hour, and older calls within a day, with everything that belongs to them; bills and usage stay. Leave recordings and transcripts empty to keep them until you delete them, and calls empty for the default of this installation.",
  recordingsDays: "Recordings (days)",
  keptUntilDeleted: "Kept",
  transcriptsDays: "Transcripts (days)",
  callsDays: "Calls (days)",
  keptByDefault: "Default",
  saveRetention: "Save retention",
  eraseQuestion: "Permanently delete older data?",
  eraseConsequence:
    "Anything older is permanently deleted within the hour. This includes calls that ended long ago, and cannot be undone.",
  removeConsequence:
    "Older calls are removed from every list within the day, with their recordings, transcripts and events. This includes calls that ended long ago, and cannot be undone.",
  keepEverything: "Keep everything",
  saveAndErase: "Save and erase",
  daysMistake: (daysMin: number, daysMax: number) => `Enter ${daysMin} to ${daysMax} days, or leave it empty.`,
};

export type LimitsText = typeof english;

export const limitsText = inLanguage("settings/limits", english);
