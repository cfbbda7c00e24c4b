import { freshEmail, PASSWORD } from "../harness/accounts.ts";
import type { JsonSchema } from "./from-schema.ts";

/** A body with every field its schema has, valid by the schema. */
export type FullBody = Readonly<Record<string, unknown>>;

const FLOW = {
  schemaVersion: 1,
  variables: ["name"],
  nodes: [
    { id: "start", type: "start", next: "hello", label: "Start", position: { x: 0, y: 0 } },
    { id: "hello", type: "say", text: "Hello {{name}}.", next: "question" },
    {
      id: "question",
      type: "ask",
      text: "Do you have time?",
      answer: "yes_no",
      saveAs: "has_time",
      exits: [{ when: "yes", next: "bye" }],
      otherwise: "bye",
    },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
};

const SCENARIO = {
  name: "Full",
  steps: [{ say: "Yes" }, { interruptAfterMs: 500, say: "Stop" }, { press: "1" }, { silent: true }, { hangUp: true }],
  variables: { name: "Ada" },
  toolReplies: { hours: { status: 200, body: { closes: "six" } } },
  expect: [
    { type: "ended", reason: ["callee_hangup", "agent_hangup"] },
    { type: "reached", nodeId: "bye" },
    { type: "collected", name: "has_time", equals: true },
    { type: "said", contains: "Goodbye" },
    { type: "transferred", to: "+15550100001" },
    { type: "tool_called", name: "hours" },
  ],
};

const GATE = {
  countries: ["DE", "AT"],
  ratePerMinuteMax: "0.50",
  callsPerNumberAndDay: 10,
  callsPerRangeAndHour: 100,
  callsPerCountryAndHour: 3000,
  callingHours: { start: "08:00", end: "21:00" },
  mayIgnoreCallingHours: true,
};

const TRUNK = {
  name: "Full",
  isEnabled: false,
  host: "sip.example.com",
  port: 5061,
  transport: "tls",
  outboundProxy: "sip:proxy.example.com;transport=tls",
  username: "customer17",
  password: PASSWORD,
  publicKey: null,
  registersAs: "customer17",
  fromHost: "customer.example.com",
  publicAddress: { host: "voice.example.com", port: 5061 },
  publicMediaHost: "203.0.113.10",
  numberFormat: "digits",
  dialPrefix: "17",
  callerIds: ["+15550100099"],
  codecs: ["PCMA", "PCMU"],
  srtp: "required",
  channelsMax: 30,
  callsPerSecond: 2.5,
  pingIntervalSeconds: 30,
  noResponseMs: 2_500,
  sessionTimerSeconds: 180,
  offersReliableRinging: true,
  assertsIdentity: true,
  allowsTcpForLarge: true,
  staysOnFirstHop: true,
};

const PROVIDER = { apiKey: "sk-x", baseUrl: "http://127.0.0.1:9/v1", model: "qwen3", use: "off" };

/** Every route that takes a body, by id. */
export function fullBodies(agentId: string): Readonly<Record<string, FullBody>> {
  return {
    createCall: {
      phoneNumber: "+15550100001",
      agentId,
      engine: "local",
      agentVersion: 1,
      from: "+15550100099",
      variables: { name: "Ada" },
      metadata: { order: "17" },
      maxDurationSeconds: 60,
      ringTimeoutSeconds: 20,
      record: false,
      voicemail: { action: "leave_message", message: "Please call back." },
      scheduledAt: "2026-01-31T09:30:00Z",
      callingHours: "wait",
      consent: { basis: "asked on the web form", at: "2026-01-30T09:30:00Z" },
      simulation: {
        answerAfterMs: 100,
        voice: "a",
        noise: 0.5,
        script: [
          { say: "Hello" },
          { waitMs: 5 },
          { waitForTurn: true },
          { press: "1" },
          { interruptAfterMs: 5, say: "Stop" },
          { hangUp: true },
        ],
      },
    },
    checkCall: { phoneNumber: "+15550100001", engine: "local", from: "+15550100099", callingHours: "wait" },
    createBatch: {
      name: "Full",
      agentId,
      engine: "local",
      agentVersion: 1,
      from: "+15550100099",
      maxDurationSeconds: 60,
      ringTimeoutSeconds: 20,
      record: false,
      voicemail: { action: "leave_message", message: "Please call back." },
      scheduledAt: "2026-01-31T09:30:00Z",
      callingHours: "wait",
      rows: [
        {
          phoneNumber: "+15550100001",
          variables: { name: "Ada" },
          metadata: { order: "17" },
          scheduledAt: "2026-01-31T10:30:00Z",
        },
      ],
    },
    checkBatch: {
      agentId,
      engine: "local",
      agentVersion: 1,
      from: "+15550100099",
      callingHours: "wait",
      rows: [{ phoneNumber: "+15550100001", variables: { name: "Ada" } }],
    },
    pauseBatch: {},
    resumeBatch: {},
    cancelBatch: {},
    changeCallNotes: { tags: ["follow up", "vip"], note: "All fields" },
    createCallShare: { days: 3, recording: false },
    createCallView: {
      name: "Full",
      query: {
        status: "failed",
        phase: "ended",
        agentId,
        agentVersion: "1",
        engine: "local",
        apiKeyId: "none",
        memberId: "mem_00000000000000000000000000",
        phoneNumber: "555",
        endReason: "busy",
        outcome: "confirmed",
        hourOfDay: "9",
        timeZone: "Europe/Berlin",
        createdAfter: "2026-01-30T09:30:00Z",
        createdBefore: "2026-01-31T09:30:00Z",
        q: "refund",
        search: "Ada",
        sort: "-cost",
      },
    },
    analyzeCall: {},
    hangupCall: {},
    createRecordingLink: {},
    createAgent: {
      name: "Full",
      description: "All fields",
      engine: "local",
      language: "en-US",
      flow: FLOW,
      scenarios: [SCENARIO],
    },
    changeAgent: { name: "Full", description: "All fields", engine: null, language: "de", flow: FLOW },
    restoreAgent: {},
    checkAgent: { flow: FLOW },
    describeAgent: {
      description: "Calls patients the day before their appointment, and asks whether they come, move it or cancel.",
    },
    publishAgent: { note: "all fields" },
    rollbackAgent: { version: 1 },
    tryAgent: {
      flow: FLOW,
      version: 1,
      language: "en-US",
      variables: { name: "Ada" },
      state: "state",
      callee: { interruptAfterMs: 500, say: "Yes" },
      toolReplies: { hours: { status: 200, body: { closes: "six" } } },
    },
    tryTool: {
      request: {
        method: "POST",
        url: "https://app.example/slots",
        headers: { "X-Token": "abc" },
        body: { day: "{{day}}" },
        timeoutMs: 1000,
      },
      saves: [{ path: "slots[0]", saveAs: "slot", kind: "text" }],
      values: { day: "2026-01-31" },
    },
    createScenario: SCENARIO,
    importScenarios: { scenarios: [SCENARIO] },
    changeScenario: SCENARIO,
    runScenarios: { on: "text", ids: ["scn_x"], flow: FLOW, version: 1 },
    createScenarioFromCall: { name: "Full" },
    previewVoice: { text: "Hello {{name}}.", language: "en-US", variables: { name: "Ada" } },
    rotateToolSecret: {},
    createMcpServer: {
      name: "full",
      url: "https://mcp.example/mcp",
      headers: { "X-Token": "abc" },
      timeoutMs: 500,
      isEnabled: false,
    },
    changeMcpServer: {
      url: "https://mcp.example/mcp",
      headers: { "X-Token": "abc" },
      timeoutMs: 500,
      isEnabled: false,
    },
    refreshMcpServer: {},
    approveMcpTools: { approve: [{ name: "find_customer", digest: "abc" }], revoke: ["other"] },
    startDeviceSignIn: { client: "parley on ada-laptop" },
    fetchDeviceKey: { deviceCode: "unknown" },
    approveDeviceSignIn: { mode: "test", scopes: ["calls:read"] },
    denyDeviceSignIn: {},
    createWebhook: {
      url: "https://app.example/events",
      eventTypes: ["call.completed", "webhook.disabled"],
      description: "All fields",
      headers: { "X-Token": "abc" },
      isEnabled: false,
    },
    changeWebhook: {
      url: "https://app.example/events",
      eventTypes: null,
      description: "All fields",
      headers: { "X-Token": "abc" },
      isEnabled: true,
    },
    rotateWebhookSecret: {},
    testWebhook: {},
    replayWebhook: {},
    replayDelivery: {},
    addSuppression: { phoneNumber: "+15550100077", reason: "asked" },
    importSuppressions: { phoneNumbers: ["+15550100078", "+15550100079"], reason: "asked" },
    changeAlertRules: {
      answerRate: { belowPercent: 40, hours: 2, callsMin: 20 },
      incidents: { atLeast: 5, hours: 1 },
      creditLow: false,
      quietMinutes: 30,
      emailOwners: false,
    },
    changeSettings: {
      dailySpendCap: "50.00",
      callSpendCap: "1.00",
      destinationSpendCap: "2.00",
      creditLowAt: "3.00",
      callingHours: { start: "09:00", end: "17:00" },
      retentionDays: { recordings: 30, transcripts: 30, calls: 365 },
      disclosure: "This call is made by a machine.",
      pronunciations: [{ written: "Siobhan", spoken: "/ʃɪˈvɔn/" }],
    },
    signUp: { email: freshEmail(), password: PASSWORD, accountName: "Full" },
    signIn: { email: freshEmail(), password: PASSWORD },
    signInWithCode: { challenge: `ct_${"x".repeat(43)}`, code: "492039" },
    startSecondFactor: { password: PASSWORD },
    confirmSecondFactor: { code: "492039" },
    replaceRecoveryCodes: { password: PASSWORD, code: "492039" },
    disableSecondFactor: { password: PASSWORD, code: "492039" },
    signOut: { everywhere: true },
    changePassword: { currentPassword: PASSWORD, newPassword: `${PASSWORD}-2` },
    checkLink: { token: `lt_${"x".repeat(43)}` },
    claimAccount: { token: `lt_${"x".repeat(43)}`, email: freshEmail(), password: PASSWORD },
    resetPassword: { token: `lt_${"x".repeat(43)}`, password: PASSWORD },
    createApiKey: {
      name: "Full",
      mode: "test",
      scopes: ["calls:read"],
      expiresAt: "2199-01-01T00:00:00Z",
      allowedIps: ["127.0.0.1", "::1", "10.0.0.0/8"],
      dailySpendCap: "5.00",
    },
    inviteMember: { email: freshEmail(), role: "member" },
    changeMember: { role: "owner" },
    changeOperatorAccount: { concurrencyMax: 20, callsPerSecond: 2.5, queuedMax: 10_000 },
    changeAccountCredit: { change: "add", amount: "0.01", note: "all fields" },
    setRouteRate: { prefix: "+4930", perMinute: "0.012", description: "Berlin" },
    importRouteRates: { rates: [{ prefix: "+4930", perMinute: "0.012", description: "Berlin" }] },
    setEngineRate: { engine: "local", perMinute: "0.01" },
    setProviderRate: { provider: "openai", unit: "recognition_minute", price: "0.01" },
    changeGate: GATE,
    changeAccountGate: GATE,
    createProvider: { ...PROVIDER, name: "openai-compatible" },
    changeProvider: PROVIDER,
    createTrunk: { kind: "sip", ...TRUNK },
    changeTrunk: TRUNK,
    examineTrunk: { to: "+15550100001" },
    createTrunkRoute: { prefix: "49", trunkId: "trk_x", priority: 1, weight: 2 },
    changeTrunkRoute: { prefix: "49", trunkId: "trk_x", priority: 1, weight: 2 },
  };
}

/** Where strings stand in a body: values by their path, and keys of maps and objects. */
export function stringPlaces(body: unknown, path: readonly PropertyKey[] = []): (readonly PropertyKey[])[] {
  if (typeof body === "string") return [path];
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([key, inner]) =>
    stringPlaces(inner, [...path, Array.isArray(body) ? Number(key) : key]),
  );
}

/** A copy with one place changed. */
export function withChange(
  body: unknown,
  [head, ...rest]: readonly PropertyKey[],
  change: (old: unknown) => unknown,
): unknown {
  if (head === undefined) return change(body);
  const copy: Record<PropertyKey, unknown> = Array.isArray(body)
    ? ([...body] as unknown as Record<PropertyKey, unknown>)
    : { ...(body as Record<PropertyKey, unknown>) };
  copy[head] = withChange(copy[head], rest, change);
  return copy;
}

export interface NumberPlace {
  readonly path: readonly PropertyKey[];
  readonly most: unknown;
  readonly least: unknown;
}

const MOST_USD = "999999999.999999";

/** Where numbers and amounts stand in a body, with the most and the least that the schema takes there. */
export function numberPlaces(
  schema: JsonSchema,
  body: unknown,
  components: Readonly<Record<string, JsonSchema>>,
  path: readonly PropertyKey[] = [],
): NumberPlace[] {
  if (schema.$ref) return numberPlaces(components[schema.$ref.split("/").at(-1) ?? ""] ?? {}, body, components, path);
  const branches = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (branches) {
    const found = branches.map((branch) => numberPlaces(branch, body, components, path));
    return found.reduce((best, next) => (next.length > best.length ? next : best), []);
  }
  if (typeof body === "number" && (schema.type === "integer" || schema.type === "number"))
    return [
      { path, most: schema.maximum ?? Number.MAX_SAFE_INTEGER, least: schema.minimum ?? Number.MIN_SAFE_INTEGER },
    ];
  if (typeof body === "string" && new RegExp(schema.pattern ?? "$^").test(MOST_USD))
    return [{ path, most: MOST_USD, least: "0.000001" }];
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([key, inner]) => {
    const extra = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
    const of = Array.isArray(body) ? schema.items : (schema.properties?.[key] ?? extra);
    return of ? numberPlaces(of, inner, components, [...path, Array.isArray(body) ? Number(key) : key]) : [];
  });
}
