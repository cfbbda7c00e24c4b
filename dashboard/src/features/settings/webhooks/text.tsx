import type { Mode } from "@parley/contract/shared-fields";
import type { DeliveredType, DeliveryStatus } from "@parley/contract/webhook-deliveries";
import type { DisabledReason } from "@parley/contract/webhooks";
import type { ReactNode } from "react";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // deliveries.tsx
  deliveries: "Deliveries",
  sendAgainSince: "Send again since…",
  filterDeliveries: "Filter deliveries",
  status: "Status",
  anyStatus: "Any status",
  event: "Event",
  anyEvent: "Any event",
  loadingDeliveries: "Loading deliveries",
  noMatchingDeliveries: "No matching deliveries",
  nothingSentYet: "Nothing sent yet",
  noMatchText: "No delivery matches both filters.",
  emptyDeliveries: "Send a test, or place a call.",
  notTriedYet: "No attempts yet",
  replayed: (count: number) => {
    if (count === 0) return "There was nothing to send.";
    return `${count} ${count === 1 ? "event is" : "events are"} on the way.`;
  },
  sendAgain: "Send again",
  replayLead: (keptDays: number) =>
    `Sends every event since then that this endpoint is subscribed to, even from before it was added, up to ${keptDays} days back. Events keep their IDs, so a receiver can skip those it has seen.`,
  since: "Since",
  skipAccepted: "Skip events that were already accepted",
  cancel: "Cancel",

  // delivery-page.tsx
  delivery: "Delivery",
  theEndpoint: "The endpoint",
  loadingDelivery: "Loading delivery",
  sentAgain: "The event is on its way again.",
  state: "State",
  eventId: "ID, the same for every attempt",
  call: "Call",
  happened: "Happened",
  accepted: "Accepted",
  nextTry: "Next attempt",
  about: "About",
  attempts: "Attempts",
  attempt: (ordinal: number) => `Attempt ${ordinal}`,
  noAttempts: "No attempts yet.",
  whatIsSent: "Request",
  body: "Body",
  noAnswer: "No answer",
  whatWasAnswered: "Response",

  // endpoint-fields.tsx
  urlHint: "Events are sent there by POST. Respond with 2xx within 15 seconds.",
  descriptionOptional: "Description (optional)",
  descriptionExample: "Order system",
  chooseAtLeastOne: "Choose at least one.",
  additionalHeadersOptional: "Additional headers (optional)",
  newHeaders: "New headers, replacing the current ones",
  headers: "Headers",
  headersExample: "Authorization: Bearer ...",
  headersSent: (names: string) =>
    `Currently sent: ${names}. Their values are never shown; leave this empty to keep them.`,
  headersHint: "One per line, such as credentials for the endpoint. Values are stored encrypted and never shown again.",
  removeAllHeaders: "Remove all headers",
  save: "Save",
  addEndpoint: "Add endpoint",
  events: "Events",
  allEvents: "All events",
  allEventsHint: "Including event types added in later releases",
  selectedEvents: "Selected events",
  headerMistake: (line: string) => `“${line}” is not written as Name: value.`,

  // no-endpoint.tsx
  notFound: (mode: Mode) => `Not found in ${mode} webhooks`,
  notFoundText: "It may have been deleted, or it belongs to the other mode.",
  allEndpoints: "All endpoints",

  // deliveries.tsx: the test
  test: "Test",
  sendATest: "Send a test",
  waitingForAnswer: "Sent. Waiting for an answer…",
  testLead: "Sends a webhook.test event to this endpoint only, even while it is disabled.",
  details: "Details",
  testAccepted: (status: number | null, latencyMs: number) => `Accepted with ${status} in ${latencyMs} ms.`,
  testRefused: (reason: string, again: string | null) =>
    `Not accepted: ${reason}${again === null ? "" : ` Next attempt at ${again}.`}`,

  // verify-example.tsx
  checkTheSignature: "Check the signature",
  signatureHeaders: (code: (header: string) => ReactNode) => (
    <>
      Every request carries {code("webhook-id")}, {code("webhook-timestamp")} and {code("webhook-signature")}, as
      specified by Standard Webhooks. An event can arrive twice: remember its ID and skip those you have seen.
    </>
  ),
  languages: "Languages",
  nodeComment: "Use the raw body, before parsing it. Throws if the signature is wrong or too old.",
  python: "Python",
  pythonComment: "Use the raw body, before parsing it. Raises if the signature is wrong or too old.",
  withoutALibrary: "Without a library",
  rotationComment: "During a rotation there are two signatures, separated by a space.",

  // webhook-labels.ts
  eventMeanings: {
    "call.initiated": "A call was accepted",
    "call.in_progress": "A call was answered",
    "call.completed": "A call was completed",
    "call.failed": "A call was not answered, or failed",
    "call.transcript.ready": "A transcript can be fetched",
    "call.recording.ready": "A recording can be fetched",
    "call.analyzed": "An answered call was analyzed",
    "credit.low": "Credit is running low (live mode)",
    "alert.raised": "An alert was raised",
    "alert.resolved": "An alert was resolved",
    "webhook.disabled": "Another endpoint was disabled",
    "webhook.test": "A test you sent",
  } satisfies Record<DeliveredType, string>,
  deliveryStatus: {
    pending: "On its way",
    delivered: "Delivered",
    failed: "Failed",
    held: "Held",
  } satisfies Record<DeliveryStatus, string>,
  disabledReason: {
    member: "A member or an API request disabled it.",
    gone: "It responded with 410 Gone, which asks us to stop sending.",
    failing: "It accepted no events for five days.",
  } satisfies Record<DisabledReason, string>,
  retrying: "Retrying",
  disabled: "Disabled",
  failing: "Failing",
  enabled: "Enabled",
  eventKinds: (count: number) => `${count} event types`,

  // webhook-page.tsx
  endpoint: "Endpoint",
  loadingEndpoint: "Loading endpoint",
  webhooks: "Webhooks",
  disabledNotice: (since: string | null, reason: string) =>
    `Disabled${since === null ? "" : ` since ${since}`}. ${reason} Events are held in the meantime; enable the endpoint and send them again.`,
  failingNotice: (since: string) =>
    `Nothing has been accepted since ${since}. Failed deliveries are retried for five days; an endpoint that accepts nothing in that time is disabled.`,
  description: "Description",
  none: "None",
  allIncludingLater: "All, including those added in later releases",
  additionalHeaders: "Additional headers",
  lastAccepted: "Last accepted",
  nothingYet: "Nothing yet",
  added: "Added",
  edit: "Edit",
  endpointEnabled: "The endpoint is enabled.",
  endpointDisabled: "The endpoint is disabled. Its events are held.",
  disable: "Disable",
  enable: "Enable",
  endpointChanged: "The endpoint was changed.",
  editEndpoint: "Edit endpoint",
  editLead: "Pending deliveries go to the new URL too.",
  endpointDeleted: "The endpoint was deleted.",
  disableInstead: "If you only want to pause an endpoint, disable it instead.",
  deleteEndpoint: "Delete endpoint",
  deleteQuestion: "Delete this endpoint?",
  deleteConsequence: (url: ReactNode) => (
    <>Nothing more is sent to {url}. Its secret and its pending deliveries are deleted. This cannot be undone.</>
  ),
  keepIt: "Keep it",
  deleteIt: "Delete it",
  signingSecret: "Signing secret",
  secretLead:
    "Your server uses it to verify that a request comes from Parley. Anyone who has it can forge such requests, so showing it is recorded in the audit log.",
  previousSecretUntil: (until: string) =>
    `Until ${until} events are also signed with the previous secret. Configure your receiver with the new one by then.`,
  secret: "Secret",
  previousSecret: "Previous secret",
  hide: "Hide",
  showSecret: "Show secret",
  rotate: "Rotate",
  rotateQuestion: "Rotate the secret?",
  rotateAgainConsequence:
    "The secret was already rotated within the last day. The previous secret stops working immediately; the current one stays valid for 24 hours alongside the new one.",
  rotateConsequence:
    "For 24 hours, each request carries two signatures, one from the old secret and one from the new, so receivers accept it with either. After that, the old secret stops working.",
  keepSecret: "Keep secret",
  rotateSecret: "Rotate secret",

  // webhooks-page.tsx
  lead: (mode: Mode) => `Requests to your server when something happens in ${mode} calls.`,
  endpoints: "Endpoints",
  loadingEndpoints: "Loading endpoints",
  noEndpointYet: (mode: Mode) => `No endpoint for ${mode} calls yet`,
  emptyList:
    "Add a URL on your server. Every event is signed, retried for five days, and kept for 90 days so that it can be sent again.",
  endpointsMax: (count: number) => `You can have up to ${count} endpoints in each mode.`,
  acceptsNothingSince: (when: string) => `Nothing accepted since ${when}`,
  lastAcceptedWhen: (when: string) => `Last accepted ${when}`,
  addToTestLead: "It receives the events of test calls.",
  addToLiveLead: "It receives the events of live calls.",
  endpointAdded: "Endpoint added",
  secretOfNewEndpoint:
    "Configure your receiver with this secret so that it can verify requests. You can see it again on the endpoint’s page.",
  close: "Close",
  openEndpoint: "Open endpoint",
};

export type WebhooksText = typeof english;

export const webhooksText = inLanguage("settings/webhooks", english);
