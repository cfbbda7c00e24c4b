const AGENT_ID = "agt_01k8m3v9zq4t6w8y0a2c4e6g8j";

const TRUNK_ID = "trk_01k8m3v9zq4t6w8y0a2c4e6g8j";

const FLOW = {
  schemaVersion: 1,
  variables: ["name"],
  nodes: [
    { id: "start", type: "start", next: "confirm" },
    {
      id: "confirm",
      type: "ask",
      text: "Hello {{name}}, can you come tomorrow at ten?",
      answer: "yes_no",
      saveAs: "coming",
      exits: [{ when: "yes", next: "thanks" }],
      otherwise: "goodbye",
    },
    { id: "thanks", type: "end", text: "Thank you, see you tomorrow." },
    { id: "goodbye", type: "end", text: "I will tell them. Goodbye." },
  ],
};

/** A body that works, for every route that takes one, by the route's id. A test holds each against its schema. */
export const BODY_EXAMPLES: Readonly<Record<string, unknown>> = {
  createCall: { phoneNumber: "+15550100001", agentId: AGENT_ID, engine: "local" },
  hangupCall: {},
  createRecordingLink: {},
  createAgent: { name: "Appointment reminder", language: "en-US", flow: FLOW },
  changeAgent: { name: "Appointment reminder", flow: FLOW },
  setRouteRate: { prefix: "+4930", perMinute: "0.012", description: "Berlin" },
  setEngineRate: { engine: "local", perMinute: "0.01" },
  changeGate: { callingHours: { start: "09:00", end: "20:00" }, ratePerMinuteMax: "0.50" },
  changeAccountGate: { countries: ["DE", "AT", "CH"] },
  publishAgent: { note: "Ask before confirming." },
  rollbackAgent: { version: 2 },
  createWebhook: {
    url: "https://app.example/parley-events",
    eventTypes: ["call.completed", "call.failed"],
    description: "Order system",
  },
  changeWebhook: { isEnabled: true },
  rotateToolSecret: {},
  rotateWebhookSecret: {},
  testWebhook: {},
  replayWebhook: {},
  replayDelivery: {},
  addSuppression: { phoneNumber: "+15550100001", reason: "Asked not to be called." },
  changeSettings: { dailySpendCap: "5.00" },
  signUp: { email: "ada@example.com", password: "correct horse battery", accountName: "Analytical Engines" },
  signIn: { email: "ada@example.com", password: "correct horse battery" },
  signOut: {},
  changePassword: { currentPassword: "correct horse battery", newPassword: "wrong horse no battery" },
  claimAccount: { token: "the-token-of-the-link", email: "ada@example.com", password: "correct horse battery" },
  resetPassword: { email: "ada@example.com" },
  createApiKey: { name: "Reminder service", mode: "test", scopes: ["calls:write", "calls:read"] },
  inviteMember: { email: "grace@example.com", role: "member" },
  changeOperatorAccount: { concurrencyMax: 50 },
  createTrunk: {
    name: "Carrier One",
    host: "sip.example.com",
    transport: "tls",
    username: "customer17",
    password: "the password the carrier gave you",
    callerIds: ["+15550100099"],
    srtp: "required",
    channelsMax: 30,
    callsPerSecond: 5,
  },
  changeTrunk: { isEnabled: false },
  createTrunkRoute: { prefix: "49", trunkId: TRUNK_ID },
  changeTrunkRoute: { priority: 10 },
  examineTrunk: { to: "+15550100001" },
};

const PLACED_CALL = {
  id: "call_01k8m3v9zq4t6w8y0a2c4e6g8j",
  phoneNumber: "+15550100001",
  agentId: AGENT_ID,
  status: "initiated",
  engine: "local",
  createdAt: "2026-01-31T09:30:00.000Z",
  mode: "test",
  phase: "queued",
  agentVersion: 1,
  from: null,
  variables: {},
  metadata: {},
  scheduledAt: null,
  answeredAt: null,
  endedAt: null,
  durationSeconds: null,
  endReason: null,
  endedBy: null,
  answeredBy: null,
  carrier: null,
  gate: { decision: "allowed", reasons: ["not_suppressed"] },
  cost: null,
  recording: null,
  transcript: null,
  latency: null,
  quality: null,
  collected: null,
  analysis: null,
};

const ENDED_CALL = {
  ...PLACED_CALL,
  status: "completed",
  phase: "ended",
  answeredAt: "2026-01-31T09:30:08.120Z",
  endedAt: "2026-01-31T09:30:49.870Z",
  durationSeconds: 42,
  endReason: "callee_hangup",
  endedBy: "callee",
  carrier: { name: "simulated", code: null, reason: "Normal Clearing", explanation: "The call ended normally." },
  cost: { total: "0.00", currency: "USD", lines: [] },
};

/** What a route answers with in `data`, where a made-up reply would mislead, by the route's id. */
export const DATA_EXAMPLES: Readonly<Record<string, unknown>> = {
  createCall: PLACED_CALL,
  getCall: ENDED_CALL,
};
