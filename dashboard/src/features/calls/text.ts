import type { Call, CallCount, CallMatch } from "@parley/contract/calls";
import type { Incident } from "@parley/contract/incidents";
import { formatCount } from "../../languages/language.ts";
import { inLanguage } from "../../languages/texts.ts";

const english = {
  // back-to-calls.tsx
  calls: "Calls",
  batches: "Batches",

  // call-check.tsx
  notCallable: (why: string): string => `This number can’t be called: ${why}.`,
  waitsUntil: (until: string | null): string =>
    until === null
      ? "The call waits until calling hours begin there."
      : `The call waits until ${until}, when calling hours begin there.`,
  callable: "This number can be called now.",
  severalTimeZones: "several time zones",
  localTime: (times: readonly string[]): string => `local time ${times.join(" or ")}`,
  noRate: "no rate for this number",
  perMinute: (price: string): string => `${price} per minute`,
  notCharged: "not charged",

  // call-columns.ts
  time: "Time",
  agent: "Agent",
  howItEnded: "How it ended",
  result: "Result",
  answeredBy: "Answered by",
  engine: "Engine",
  version: "Version",
  draft: "Draft",
  network: "Network",
  duration: "Duration",
  cost: "Cost",

  // call-filter.ts
  searchNeedsWord: "Enter a word, part of a phone number or a call ID.",

  // call-filters.tsx
  filterCalls: "Filter calls",
  status: "Status",
  anyStatus: "Any status",
  anyAgent: "Any agent",
  endReason: "End reason",
  anyEnding: "Any ending",
  clear: "Clear",
  engineFilter: (engine: string): string => `Engine: ${engine}`,
  outcomeFilter: (outcome: string): string => `Outcome: ${outcome}`,
  keyFilter: (key: string): string => `API key: ${key}`,
  placedByMembers: "Placed by members",
  moreFilters: "More filters",
  removeFilter: "Remove filter:",
  callCount: ({ count, isExact }: CallCount): string =>
    isExact && count === 1 ? "1 call" : `${formatCount(count)}${isExact ? "" : "+"} calls`,
  matchCount: ({ count, isExact }: CallCount): string =>
    isExact && count === 1 ? "1 match" : `${formatCount(count)}${isExact ? "" : "+"} matches`,
  searchCalls: "Search calls",
  searchPlaceholder: "Number, words, ID or metadata",
  last24Hours: "Last 24 hours",
  last7Days: "Last 7 days",
  last30Days: "Last 30 days",
  last90Days: "Last 90 days",
  period: "Period",
  anyTime: "Any time",
  custom: "Custom…",
  dates: "Dates",
  firstDay: "From",
  lastDay: "to",

  // call-labels.ts
  endReasonNames: {
    callee_hangup: "The callee hung up",
    agent_hangup: "The agent said goodbye",
    api_hangup: "Hung up on request",
    transferred: "Transferred to a person",
    voicemail_hangup: "Hung up on voicemail",
    voicemail_left: "Left a voicemail",
    max_duration: "Reached the maximum duration",
    silence: "The callee stayed silent",
    no_answer: "No answer",
    busy: "Busy",
    declined: "Declined",
    blocked: "Blocked by the callee’s network",
    invalid_number: "The number does not exist",
    unreachable: "Unreachable",
    canceled: "Canceled",
    expired: "Expired in the queue",
    carrier_rejected: "The carrier rejected the call",
    carrier_unavailable: "The carrier was unavailable",
    media_timeout: "The audio stopped",
    no_audio: "No audio got through",
    fax: "A fax machine answered",
    engine_error: "Failed on our side",
    insufficient_credit: "The credit was used up",
    spend_limit: "A spend limit was reached",
    destination_blocked: "This destination is not allowed",
    suppressed: "The number is on the suppression list",
    outside_calling_hours: "Outside calling hours",
    worker_lost: "The service was interrupted",
    internal_error: "Something failed on our side",
  },
  phase: {
    scheduled: "Scheduled",
    queued: "Queued",
    dialing: "Dialing",
    ringing: "Ringing",
    talking: "Talking",
    ended: "Ended",
  },
  statusNames: {
    initiated: "Being dialed",
    in_progress: "In progress",
    completed: "Completed",
    failed: "Failed",
  },
  answeredByNames: {
    human: "A person",
    voicemail: "Voicemail",
    ivr: "A menu",
    screening: "Call screening",
    fax: "A fax machine",
    unknown: "Unknown",
  },
  event: {
    "call.initiated": "Accepted",
    "call.dialing": "Dialing",
    "call.rerouted": "Trying another trunk",
    "call.ringing": "Ringing",
    "call.early_media": "Audio before the answer",
    "call.in_progress": "Answered",
    "call.answered_by": "Detected who answered",
    "call.language_noticed": "Detected another language",
    "call.transcript_extended": "Something was said or done",
    "call.number_suppressed": "The callee does not want to be called again",
    "call.incident": "Something failed on our side",
    "call.recording_failed": "The recording failed",
    "call.audio_missing": "No audio from the callee",
    "call.audio_returned": "Audio from the callee resumed",
    "call.key_pressed": "A key was pressed",
    "call.transfer": "Transferred",
    "call.hangup_requested": "Hang-up requested",
    "call.hold_extended": "More credit was reserved",
    "call.completed": "Completed",
    "call.failed": "Failed",
    "call.transcript.ready": "The transcript is ready",
    "call.recording.ready": "The recording is ready",
    "call.analyzed": "Analyzed",
    "call.reanalyzed": "Analyzed again",
    "call.redial_scheduled": "The callee will be called again",
    "call.redial_refused": "The callee can’t be called again",
    "call.data_erased": "Call content was erased",
  },
  trunkNotChosen: "A trunk, not chosen yet",
  simulatedNetwork: "Simulated network",
  aFriendlyPerson: "A friendly person",
  someoneWhoInterrupts: "Someone who interrupts",
  someoneWhoSpeaksSlowly: "Someone who speaks slowly",
  voicemail: "Voicemail",
  callScreening: "Call screening",
  aMenuPress1: "A menu (press 1)",
  someoneWhoStaysSilent: "Someone who stays silent",
  busy: "Busy",
  noAnswer: "No answer",
  failed: "Failed",
  completed: "Completed",
  versionNumber: (version: string): string => `Version ${version}`,
  /** What failed is in the words of the part that failed. */
  cause: (sentence: string, count: number): string =>
    count > 1 ? `Cause: ${sentence} (${formatCount(count)} times).` : `Cause: ${sentence}.`,
  /** The service writes it in English; other languages word it by the kind of the incident. */
  incidentEffect: ({ effect }: Pick<Incident, "what" | "effect">): string => effect,

  // call-views.tsx
  views: "Views",
  noSavedViews: "No saved views",
  saveCurrentView: "Save current view…",
  deleteViews: "Delete views…",
  viewSaved: (name: string): string => `View “${name}” saved.`,
  saveView: "Save view",
  saveViewLead: "Saves the filters and the sort order for everyone in this account.",
  viewOfAllCalls: "No filters are set, so this view will show all calls.",
  name: "Name",
  replacesView: "Replaces the view with this name.",
  cancel: "Cancel",
  viewDeleted: (name: string): string => `View “${name}” deleted.`,
  savedViews: "Saved views",
  noSavedViewsLeft: "No saved views.",
  deleteView: (name: string): string => `Delete ${name}`,
  done: "Done",
  columns: "Columns",
  rowHeight: "Row height",
  comfortable: "Comfortable",
  compact: "Compact",

  // calls-page.tsx
  testLead: "Test calls stay on the simulated network and are free.",
  view: "View",
  allCalls: "All calls",
  inProgress: "In progress",
  exportCsv: "Export CSV",
  newCall: "New call",
  filtersCleared: "Filters cleared.",
  nothingToSearchFor: "Nothing to search for",
  callsHaveChanged: "Calls have changed. Update the list",
  clearFilters: "Clear filters",
  loadingCalls: "Loading calls",
  noMatchingCalls: "No matching calls",
  noMatchingCallsHint: "No call matches all filters.",
  firstCallTitle: "Place your first call",
  noLiveCallsYet: "No live calls yet",
  firstCallHint:
    "Let a sample agent phone a simulated person, watch the call as it happens, then play and read it here.",
  noLiveCallsHint: "Calls placed with a live key, or from this page in live mode, appear here as they happen.",
  placeTestCall: "Place a test call",
  createApiKey: "Create an API key",

  // calls-table.tsx
  number: "Number",
  fetchingMoreCalls: "Loading more calls",
  foundIn: (place: CallMatch["place"], name: string | null): string => {
    switch (place) {
      case "speech":
        return name === "agent" ? "Agent:" : "Callee:";
      case "metadata":
        return `${name}:`;
      case "tag":
        return "Tag:";
      case "note":
        return "Note:";
    }
  },
  problemOnOurSide: "Problem on our side",

  // live-board.tsx
  talking: "Talking",
  dialing: "Dialing",
  waiting: "Waiting",
  loadingLiveCalls: "Loading live calls",
  noCallsInProgress: "No calls in progress",
  noCallsInProgressHint: "Calls appear here while they are waiting, ringing or talking.",
  none: "None",
  showingSome: (shown: number, total: number): string =>
    `Showing ${formatCount(shown)} of ${formatCount(total)} calls. The others are waiting.`,
  callee: "Callee",
  quoted: (text: string): string => `“${text}”`,
  scheduledFor: (time: string): string => `Scheduled for ${time}`,
  waitingForCallingHours: "Waiting for calling hours",
  aboutToBeDialed: "About to be dialed",
  /** The service writes it in English; other languages word it by the reason. */
  whyQueued: ({ explanation }: NonNullable<Call["waiting"]>): string => explanation,
  ringing: "Ringing",
  waitingForCallee: "Waiting for the callee to speak",
  waitingForAgent: "Waiting for the agent’s reply",
  waitingForRequest: (request: string): string => `Waiting for the request “${request}”`,
  transferredToAPerson: "Transferred to a person",

  // new-call-dialog.tsx
  callAgain: "Call again",
  newTestCallLead: "Goes to the simulated network and is free.",
  newLiveCallLead: "Charged to your credit.",
  whoAnswers: "Who answers",
  whoAnswersHint: "The last digits of the number select the simulated callee.",
  phoneNumber: "Phone number",
  numberProblem: "Enter the number with its country code, such as +1 555 010 0001.",
  speaks: (language: string): string => `Speaks ${language}`,
  variableRequired: "Required: the agent says this in a sentence.",
  mayMissValues: "Call without the missing values",
  mayMissValuesHint: "The agent leaves them out of its sentences.",
  moreOptions: "More options",
  callAtOptional: "Call at (optional)",
  callAtHint: "In your time zone. Leave it empty to call now.",
  timeInPast: "Choose a time in the future.",
  callerIdOptional: "Caller ID (optional)",
  callerIdHint: "The number the callee sees. Default: the trunk’s own.",
  callerIdProblem: "Enter it with its country code.",
  engineOfAgent: "The agent’s engine",
  engineOfAgentNamed: (engine: string): string => `The agent’s engine (${engine})`,
  engineOfAgentDefault: "The agent’s engine (default)",
  metadataOptional: "Metadata (optional)",
  metadataHint: "Returned with the call and searchable. One per line, such as order=4711",
  scheduleCall: "Schedule call",
  callNow: "Call now",
  variables: "What the agent needs to know",
  example: (value: string): string => `Example: ${value}`,
  optional: (label: string): string => `${label} (optional)`,

  // read-pairs.ts
  lineWithoutEquals: (line: number): string => `Line ${line} has no equals sign. Write it as name=value.`,
  lineWithoutName: (line: number): string => `Line ${line} has no name before the equals sign.`,
  lineRepeatsName: (line: number, name: string): string => `Line ${line} repeats the name ${name}.`,

  // shared-call-page.tsx
  sharedCall: "Shared call",
  linkInvalid: "This link does not work",
  linkInvalidHint: "It has expired or was revoked. Ask for a new one.",
  loadingCall: "Loading call",
  callTo: (phoneNumber: string): string => `Call to ${phoneNumber}`,
  recording: "Recording",
  nothingSaid: "Nothing was said in this call.",
  transcript: "Transcript",
  linkWorksUntil: (time: string): string => `This link works until ${time}.`,
};

export type CallsText = typeof english;

export const callsText = inLanguage("calls", english);
