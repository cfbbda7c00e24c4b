import type { Mode } from "@parley/contract/shared-fields";
import type { ReactNode } from "react";
import { locale } from "../../../languages/language.ts";
import { inLanguage } from "../../../languages/texts.ts";

type Strong = (words: string) => ReactNode;

/** Field names and codes as text: endReason is "end reason", callee_hangup is "callee hangup". */
function inPlain(text: string): string {
  return text
    .replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replaceAll("_", " ");
}

const english = {
  // call-actions.tsx
  callAgain: "Call again",
  callIdCopied: "Call ID copied.",
  callIdIs: (id: string): string => `The call ID is ${id}`,
  moreActions: "More actions",
  copyCallId: "Copy call ID",
  viewAsJson: "View as JSON",
  share: "Share…",
  callAsJson: "Call as JSON",
  jsonLead: "As the API returns it.",
  response: "Response",
  getItYourself: "Get it from code",

  // call-snippets.tsx
  useFromCode: "Use from code",
  codePurpose: "What the code does",
  codePurposes: { place: "Call again", read: "Read this call" },
  codeLabels: { place: "Place the same call", read: "Read this call" },
  shareTitle: "Share this call",
  shareLead:
    "Anyone with the link can read what was said, without signing in. The phone number is partly hidden, and metadata and cost are not shown.",
  newLink: "Link (shown only once)",
  linkLifetime: "The link works for",
  days: (count: number): string => (count === 1 ? "1 day" : `${count} days`),
  includeRecording: "Include the recording",
  activeLinks: "Active links",
  sharedUntil: (time: string, hasRecording: boolean): string =>
    `Until ${time}${hasRecording ? "" : ", without the recording"}`,
  revoke: "Revoke",
  done: "Done",
  cancel: "Cancel",
  createLink: "Create link",

  // call-deliveries.tsx
  onItsWay: "On its way",
  delivered: "Delivered",
  failed: "Failed",
  held: "Held",
  loadingDeliveries: "Loading deliveries",
  noWebhooksSent: "No webhooks sent",
  noWebhooksSentHint: "No webhook endpoint of this mode is subscribed to the events of this call.",
  sendAgainNamed: (eventType: string): string => `Send again: ${eventType}`,
  sendAgain: "Send again",
  attempts: (count: number): string => (count === 1 ? "1 attempt" : `${count} attempts`),
  endpointAnswered: (status: number): string => `answered ${status}`,
  nextAttempt: (time: string): string => `next attempt ${time}`,

  // call-notes.tsx
  tagsAndNote: "Tags and note",
  tags: "Tags",
  removeTag: (tag: string): string => `Remove the tag ${tag}`,
  addTag: "Add a tag",
  tagPlaceholder: "follow up",
  note: "Note",
  saveNote: "Save note",

  // call-page.tsx
  call: "Call",
  loadingCall: "Loading call",
  liveCallSimulated: "This live call went to the simulated network, because no trunk was connected at the time.",
  aboutThisCall: "About this call",
  transcript: "Transcript",
  loadingTranscript: "Loading transcript",
  timeline: "Timeline",
  latency: "Latency",
  engine: "Engine",
  webhooks: "Webhooks",
  transcriptFailed: "The transcript could not be loaded",
  tryAgain: "Try again",
  seePath: "See the path it took",
  callNotFetched: "The call could not be loaded",
  noSuchCall: (mode: Mode): string => `${mode === "test" ? "Test" : "Live"} call not found`,
  noSuchCallHint: "It may belong to the other mode, or to another account.",
  lookAmong: (mode: Mode): string => `Look in ${mode} calls`,
  collected: "Collected",
  cost: "Cost",
  testCallsAreFree: "Test calls cost nothing.",
  nothingCharged: "Nothing was charged for this call.",
  notCharged: "Not charged. This is what the call would have cost on a real network.",
  costItem: (item: string): string => item,
  costLine: (seconds: number, price: string): string => `${seconds.toLocaleString(locale)} s at ${price} a minute`,
  costSoFar: (cost: string, price: string, strong: Strong): ReactNode => (
    <>
      About {strong(cost)} so far, at {price} per minute.
    </>
  ),
  costKnownLater: "Available when the call ends.",
  loadingTimeline: "Loading timeline",
  eventField: inPlain,
  eventValue: (_field: string, value: string | number | boolean): string => inPlain(String(value)),

  // decision-text.ts
  requests: {
    repeat: "to hear the question again",
    anybody_there: "to know whether anyone is there",
    wait: "to wait",
    who_calls: "to know who is calling",
    is_machine: "to know whether it is a machine",
    human: "to speak to a person",
    goodbye: "to end the call",
    stop_calling: "no more calls",
    why: "why they are being called",
    scam: "whether this is a scam",
    number_source: "where the number comes from",
    how_long: "how long it takes",
    how_much: "what it costs",
    call_later: "to be called later",
    driving: "to be called later, while driving",
    speak_up: "to speak louder",
    slower: "to speak more slowly",
    other_language: "for another language",
  },
  evidence: {
    words: "by the words",
    expected_answer: "by comparing the audio with the expected answers",
    similarity: "by its meaning",
    keys: "by the keys pressed",
    judge: "by the local judge",
    model: "by the language model",
  },
  evidenceAndScore: (evidence: string, percent: number): string => `${evidence}, ${percent}% sure`,
  because: (outcome: string, reasons: string): string => `${outcome}. Because: ${reasons}`,
  understoodYes: "yes",
  understoodNo: "no",
  understood: (value: string, by: string): string => `Understood: ${value}${by}`,
  askedAgain: (by: string): string => `Asked again${by}`,
  askedBack: (value: string, by: string): string => `Asked to confirm: ${value}?${by}`,
  wentToStep: (step: string, by: string): string => `Went to step “${step}”${by}`,
  requested: (request: string, by: string): string => `Asked ${request}${by}`,
  notUnderstood: "Not understood",

  // engine-parts.tsx
  noParts: "Nothing was measured",
  noPartsHint: "The parts of the engine are shown here once they have been used in an answered call.",
  partsCaption: "Parts of the engine that served this call",
  part: "Part",
  servedBy: "Served by",
  firstResult: "First result",
  used: "Used",
  costInUsd: "Cost in USD",
  noRate: "no rate",
  firstResultNote: "First result: median and 95th percentile of the requests.",
  noFirstResult: "none",
  audioSeconds: (seconds: string): string => `${seconds} s of audio`,
  characters: (count: number): string => (count === 1 ? "1 character" : `${count.toLocaleString(locale)} characters`),
  tokens: (input: number, output: number): string =>
    `${input.toLocaleString(locale)} + ${output.toLocaleString(locale)} tokens`,
  ofFailed: (failures: number, requests: number): string => `${failures} of ${requests} failed`,
  requestCount: (count: number): string => (count === 1 ? "1 request" : `${count.toLocaleString(locale)} requests`),

  // hang-up.tsx
  hangUp: "Hang up",
  cancelCall: "Cancel call",

  // reply-delay.tsx: all turns
  noReplies: "No replies were measured",
  noRepliesHint: "Each reply to the callee is shown here with its delay.",
  delayFigures: (median: string, slow: string, strong: Strong): ReactNode => (
    <>
      Median reply delay {strong(median)}, 95th percentile {strong(slow)}.
    </>
  ),
  delaysCaption: "Delay of each reply",
  reply: "Reply",
  replyNumber: (number: number): string => `Reply ${number}`,
  whereTheTimeWent: "Where the time went",
  delay: "Delay",

  // listen-in.tsx
  listeningEnded: {
    1000: "The call is over.",
    1001: "The service is restarting. Try again in a moment.",
    1008: "You may no longer listen in.",
  },
  stopListening: "Stop listening",
  listenIn: "Listen in",
  hearItAgain: "Unmute",
  mute: "Mute",
  listenInHint: "Neither side can hear you. Listening in is recorded in the audit log.",
  openingLine: "Connecting…",
  muted: "Muted",
  listening: "Listening",
  listeningFailed: "Listening in failed: the call is not connected, or the service is unreachable.",
  soundBrokeOff: "The audio stopped. Try again.",

  // outcome.tsx
  endedBy: {
    callee: "The callee",
    agent: "The agent",
    service: "The service",
    api: "A request",
  },
  refusals: {
    emergency_number: "It reaches an emergency service",
    invalid_number: "There is no such number",
    premium_rate: "A premium-rate number",
    shared_cost: "A shared-cost number",
    satellite: "A satellite or international network",
    personal_number: "A personal number, charged like a premium-rate one",
    type_not_allowed: "Numbers of this type are not allowed",
    country_not_allowed: "This country may not be called",
    no_rate: "There is no rate for it",
    rate_above_cap: "Its rate is above the maximum",
    suppressed: "It is on the suppression list",
    number_velocity: "It has reached its limit of calls for today",
    range_velocity: "Too many calls to its number range this hour",
    country_velocity: "Too many calls to its country this hour",
    outside_calling_hours: "Outside the callee’s calling hours",
    time_zone_unknown: "The callee’s time zone is unknown",
    hours_may_not_be_ignored: "Calling hours cannot be ignored",
    insufficient_credit: "The credit does not cover it",
    spend_limit: "A spend cap is reached",
  },
  found: {
    simulated_network: "On the simulated network",
    not_suppressed: "Not on the suppression list",
    credit_covers_it: "The credit covers it",
    not_charged: "Not charged",
    rate_within_cap: "Its rate is within the cap",
    velocity_within_limits: "Not called too often",
    within_calling_hours: "Within the callee’s calling hours",
    calling_hours_ignored: "Calling hours were ignored on request",
  },
  allowed: "Allowed",
  waitingForCallingHours: "Waiting for calling hours",
  refused: "Refused",
  answeredBy: "Answered by",
  calleeLanguage: "The callee spoke",
  endedByName: "Ended by",
  duration: "Duration",
  turns: "Turns",
  turnCounts: (turns: number, interruptions: number): string => `${turns}, ${interruptions} interrupted`,
  lineQuality: "Line quality",
  country: "Country",
  shownToTheCallee: "Caller ID",
  agentVersion: "Agent version",
  draft: "Draft",
  network: "Network",
  networkResponse: "Network response",
  follows: "Follow-up to",
  theCallBefore: "the previous call",
  calledAgain: "Called again",
  calleeAsked: "at the callee’s request",
  preCallCheck: "Pre-call check",
  outcome: "Outcome",
  problemsOnOurSide: "Problems on our side",
  failedBecauseOfUs: "This call failed because of a problem on our side.",
  wentWrongOnOurSide: "Something went wrong on our side.",
  inAllowedCountry: (country: string): string => `In ${country}, which may be called`,
  validNumber: (kind: string): string => `A valid number: ${inPlain(kind)}`,
  good: "Good",
  fair: "Fair",
  poor: "Poor",
  bad: "Bad",
  lineMeasures: (score: string, lossPercent: string, jitterMs: number): string =>
    `${score} of 5 (MOS), ${lossPercent}% lost, ${jitterMs} ms jitter`,

  // analysis-card.tsx
  analysis: "Analysis",
  analyzeAgain: "Analyze again",
  analyzing: "Analyzing…",
  analyzeHint: "Uses the currently published version of the agent",
  analyzedAgain: "The call was analyzed again.",
  notAnalyzed: "This call couldn’t be analyzed.",
  resultKnownLater: "Available when the call ends.",
  result: "Result",
  none: "None",
  success: "Success",
  successful: "Successful",
  unsuccessful: "Unsuccessful",
  labels: "Labels",
  analyzedBy: "Analyzed by",
  theFlow: "The agent’s flow",
  aModel: "A language model",

  // player.tsx
  recording: "Recording",
  pause: "Pause",
  playRecording: "Play the recording",
  changeSpeed: (speed: string): string => `Playback speed: ${speed}`,
  downloadRecording: "Download the recording",
  recordingMissing: (gaps: readonly { readonly from: string; readonly to: string }[], more: number): string => {
    const named = gaps.map(({ from, to }) => `from ${from} to ${to}`).join(", ");
    const others = more > 0 ? ` and in ${more} more ${more === 1 ? "place" : "places"}` : "";
    return `Part of this recording is missing${named === "" ? "" : `: ${named}${others}`}.`;
  },
  agentAbove: "Agent, above",
  calleeBelow: "Callee, below",
  noRecording: "There is no recording.",
  recordingErased: "The recording was erased.",
  stillRecording: "Recording in progress. You can play it when the call has ended.",
  recordingNotBegun: "Recording begins when the call is answered.",
  notRecorded: "This call was not recorded.",
  notAnswered: "The call was not answered, so there is no recording.",
  positionInRecording: "Position in the recording",
  positionOf: (position: string, length: string): string => `${position} of ${length}`,

  // reply-delay.tsx
  stages: {
    hold: "Making sure the callee had finished",
    detection: "Detecting the end of speech",
    recognition_queue: "Speech recognition, waiting",
    recognition: "Speech recognition, working",
    own_speech: "The agent was still speaking",
    scheduling: "The machine was busy",
    judges: "Judging the answer",
    model: "Language model",
    tool: "Request to another system",
    flow: "Deciding what to say",
    voice: "Voice, until its first audio",
    playout: "Sending the first audio",
  },
  slowestStage: {
    hold: (time: string): string => `making sure the callee had finished took ${time}`,
    detection: (time: string): string => `detecting the end of speech took ${time}`,
    recognition_queue: (time: string): string => `speech recognition waited ${time}`,
    recognition: (time: string): string => `speech recognition took ${time}`,
    own_speech: (time: string): string => `the agent was still speaking for ${time}`,
    scheduling: (time: string): string => `the machine was busy for ${time}`,
    judges: (time: string): string => `judging the answer took ${time}`,
    model: (time: string): string => `the language model took ${time}`,
    tool: (time: string): string => `a request to another system took ${time}`,
    flow: (time: string): string => `deciding what to say took ${time}`,
    voice: (time: string): string => `the voice took ${time}`,
    playout: (time: string): string => `sending the first audio took ${time}`,
  },
  answeredAfter: (time: string): string => `Answered after ${time}`,
  problemsInTurn: "Problems on our side in this turn",

  // transcript.tsx
  nothingSaidYet: "Nothing has been said yet",
  noTranscript: "No transcript",
  nothingSaidYetHint: "The conversation appears here as it happens.",
  nothingSaid: "Nothing was said in this call.",
  toolAsked: (tool: string): string => `Called ${tool}`,
  toolAnswered: (tool: string): string => `${tool} replied`,
  toolFailed: (tool: string): string => `${tool} failed`,
  step: (node: string): string => `Step: ${node}`,
  agentPressed: (key: string): string => `The agent pressed ${key}`,
  calleePressed: (key: string): string => `The callee pressed ${key}`,
  agent: "Agent",
  callee: "Callee",
  notHeardHint: "The callee did not hear this",
  notHeard: "Not heard:",
  understoodInCall: (text: string): string => `During the call, the agent understood: ${text}`,
  interrupted: "interrupted",
  recognizedWith: (percent: number): string => `recognized with ${percent}% confidence`,
};

export type CallPageText = typeof english;

export const callPageText = inLanguage("calls/call-page", english);
