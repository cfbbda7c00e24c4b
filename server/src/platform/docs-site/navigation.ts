/** A page that is not a file of docs/. */
interface MadePage {
  readonly title: string;
  readonly url: string;
}

export interface Section {
  readonly title: string;
  /** Files of docs/ without `.md`, or pages that are made otherwise, in the order in which they are read. */
  readonly pages: readonly (string | MadePage)[];
}

/** Every page of the documentation, in one order for the navigation, `llms.txt` and the links to the next page. */
export const NAVIGATION: readonly Section[] = [
  { title: "Start", pages: ["guides/quick-start", "guides/first-call", "guides/dashboard"] },
  {
    title: "Agents",
    pages: [
      ...[
        "guides/agent-builder",
        "guides/agents",
        "guides/trying-agents",
        "guides/writing-exits",
        "guides/expressions",
      ],
      ...["guides/languages", "guides/pronunciation"],
    ],
  },
  {
    title: "Calls",
    pages: [
      ...["guides/batches", "guides/live-calls", "guides/transcripts", "guides/webhooks", "guides/who-may-be-called"],
      ...["guides/billing", "guides/simulated-network"],
    ],
  },
  { title: "Clients", pages: ["guides/sdks", "guides/command-line", "guides/mcp"] },
  {
    title: "Recipes",
    pages: [
      ...["recipes/appointment-reminders", "recipes/results-in-a-spreadsheet", "recipes/agent-with-tools"],
      ...["recipes/transfer-to-a-desk", "recipes/ci-for-agents", "recipes/n8n", "recipes/twilio-trunk"],
      ...["recipes/kamailio-trunk", "recipes/asterisk-and-freeswitch", "recipes/one-machine", "recipes/kubernetes"],
    ],
  },
  {
    title: "Operating",
    pages: [
      ...[
        "operations/running",
        "operations/command-line",
        "operations/trunks",
        "operations/twilio",
        "operations/telnyx",
      ],
      ...["operations/doctor", "operations/recordings", "operations/backup-and-restore", "operations/webhooks"],
      ...["operations/outbound", "operations/capacity", "operations/growth", "operations/failures"],
      ...["operations/high-availability", "operations/citus"],
    ],
  },
  {
    title: "Speech and models",
    pages: [
      ...[
        "operations/engines",
        "operations/models",
        "operations/turn-taking",
        "operations/voice",
        "operations/understanding",
      ],
      ...["operations/hearing", "operations/speech-recognition", "operations/cloud-recognition"],
      ...["operations/cloud-voices", "operations/deepgram", "operations/openai-speech", "operations/sherpa"],
    ],
  },
  {
    title: "Reference",
    pages: [
      { title: "API reference", url: "/docs/api" },
      { title: "Error codes", url: "/docs/errors" },
      { title: "Status", url: "/docs/status" },
      "reference/settings",
      "reference/versioning",
      { title: "Changelog", url: "/docs/changelog" },
    ],
  },
];
