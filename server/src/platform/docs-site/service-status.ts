import { escapeHtml } from "../http/escape-html.ts";

/** The state of a part of the service. `unknown`: the database does not answer, and only it could tell. */
type PartState = "works" | "delayed" | "down" | "unknown";

interface StatusPart {
  readonly name: string;
  readonly state: PartState;
  readonly explanation: string;
}

export interface ServiceStatus {
  /** The worst of its parts. */
  readonly status: "works" | "delayed" | "down";
  readonly checkedAt: string;
  readonly parts: readonly StatusPart[];
}

/** What the database says of the whole installation. It stays here: the page has words, not numbers. */
export interface StatusFacts {
  readonly liveWorkers: number;
  /** Calls that are due and wait although their account could have them. */
  readonly callsWaitForMachines: boolean;
  readonly oldestDeliverySeconds: number | null;
}

/** Deliveries are sent within seconds. A minute leaves room for a burst of events, and for a process that is being replaced. */
const DELIVERY_LATE_SECONDS = 60;

/** `facts` is null if the database does not answer. */
export function judgeStatus(facts: StatusFacts | null, checkedAt: Date): ServiceStatus {
  const parts: StatusPart[] = [
    { name: "API", state: "works", explanation: "It has answered this request." },
    facts === null
      ? {
          name: "Database",
          state: "down",
          explanation: "It does not answer. Requests are refused and can be repeated.",
        }
      : { name: "Database", state: "works", explanation: "It answers." },
    ...(facts === null
      ? ["Workers", "Queue", "Webhooks"].map(unknown)
      : [workers(facts), queue(facts), webhooks(facts)]),
  ];
  const worst = parts.some(({ state }) => state === "down")
    ? "down"
    : parts.some(({ state }) => state === "delayed")
      ? "delayed"
      : "works";
  return { status: worst, checkedAt: checkedAt.toISOString(), parts };
}

function unknown(name: string): StatusPart {
  return { name, state: "unknown", explanation: "Not known while the database does not answer." };
}

function workers({ liveWorkers }: StatusFacts): StatusPart {
  return liveWorkers > 0
    ? { name: "Workers", state: "works", explanation: "At least one is running." }
    : {
        name: "Workers",
        state: "down",
        explanation: "None is running. Calls stay in the queue until one starts.",
      };
}

function queue({ liveWorkers, callsWaitForMachines }: StatusFacts): StatusPart {
  const isDelayed = callsWaitForMachines || liveWorkers === 0;
  return isDelayed
    ? { name: "Queue", state: "delayed", explanation: "New calls wait until a machine has room for them." }
    : {
        name: "Queue",
        state: "works",
        explanation: "Calls are dialed when they are due, within the limits of their account.",
      };
}

function webhooks({ oldestDeliverySeconds }: StatusFacts): StatusPart {
  return (oldestDeliverySeconds ?? 0) > DELIVERY_LATE_SECONDS
    ? { name: "Webhooks", state: "delayed", explanation: "Events are sent late. None is lost." }
    : { name: "Webhooks", state: "works", explanation: "Events are sent when they happen." };
}

const HEADLINES: Readonly<Record<ServiceStatus["status"], string>> = {
  works: "Everything works.",
  delayed: "The service works, with delays.",
  down: "A part of the service is down.",
};

const NOTE = "This page asks the service itself, each time it is opened. It has no history.";

export function renderStatusHtml({ status, checkedAt, parts }: ServiceStatus): string {
  const rows = parts.map(
    ({ name, state, explanation }) =>
      `<tr><th scope="row">${escapeHtml(name)}</th><td><span class="state ${state}">${state}</span></td><td>${escapeHtml(explanation)}</td></tr>`,
  );
  return `<h1 id="status">Status</h1>
<p class="headline">${HEADLINES[status]}</p>
<div class="table" role="region" aria-label="Parts of the service" tabindex="0"><table><thead><tr><th>Part</th><th>State</th><th>Meaning</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>
<p class="facts">Checked at <time datetime="${checkedAt}">${checkedAt}</time>. ${NOTE} For programs: <a href="/docs/status.json"><code>/docs/status.json</code></a>. Operators have more: <a href="/docs/operations/running#monitoring">monitoring</a>.</p>
`;
}

export function renderStatusMarkdown({ status, checkedAt, parts }: ServiceStatus): string {
  const rows = parts.map(({ name, state, explanation }) => `| ${name} | ${state} | ${explanation} |`);
  return `# Status

${HEADLINES[status]}

| part | state | meaning |
|---|---|---|
${rows.join("\n")}

Checked at ${checkedAt}. ${NOTE} For programs: \`/docs/status.json\`.
`;
}
