import { addMember, dataOf, freshEmail, signInAgain } from "../harness/accounts.ts";
import { type HttpRequest, send } from "../harness/http-client.ts";
import { aBatch, aCall, aCallShare, aCanceledCall, aRecordingLink } from "./call-fixtures.ts";
import type { FixtureRow } from "./fixture.ts";
import type { MatrixAccount } from "./matrix-world.ts";
import { aDeviceSignIn, aMcpServer, newMcpServer, roomForMcpServers } from "./mcp-fixtures.ts";
import { aProvider, aTrunk, aTrunkRoute, newTrunk, noProvider } from "./operator-fixtures.ts";
import { aDelivery, aWebhook, freshWebhook, NEW_WEBHOOK, roomForWebhooks } from "./webhook-fixtures.ts";

let count = 0;
const freshNumber = () => `+1555${String(2_000_000 + count++)}`;
const NOTHING = { make: () => ({}) } satisfies FixtureRow;
const UNREADABLE = {
  make: () => ({ json: {} }),
  letIn: { status: 422, code: "validation_failed" },
} satisfies FixtureRow;

const anAgent = (account: MatrixAccount) => ({ params: { id: account.agentId } });

async function make(account: MatrixAccount, request: HttpRequest): Promise<{ id: string }> {
  return dataOf(await send(account.base, { ...request, headers: account.owner.cookie }));
}

const draft = async (account: MatrixAccount) => {
  const { id } = await make(account, { path: "/api/v1/agents", json: { name: "A draft" } });
  return { id };
};

const NEW_SCENARIO = { name: "By the matrix", steps: [], expect: [{ type: "not_ended" }] };

async function aScenario(account: MatrixAccount): Promise<{ id: string }> {
  const { id } = await make(account, { path: `/api/v1/agents/${account.agentId}/scenarios`, json: NEW_SCENARIO });
  return { id };
}

async function aScenarioRun(account: MatrixAccount): Promise<{ id: string }> {
  const json = { on: "text", ids: [(await aScenario(account)).id] };
  const { id } = await make(account, { path: `/api/v1/agents/${account.agentId}/scenarios/run`, json });
  return { id };
}

/** One row for every route: a valid request to it. */
export const FIXTURES: Readonly<Record<string, FixtureRow>> = {
  createCall: {
    make: (account) => ({ json: { phoneNumber: "+15550100001", agentId: account.agentId, engine: "local" } }),
    namesInBody: true,
  },
  checkCall: { make: () => ({ json: { phoneNumber: "+15550100001" } }) },
  listCalls: NOTHING,
  exportCalls: NOTHING,
  countCalls: NOTHING,
  findCallMatches: {
    make: (account, mode) => ({ query: { text: "hello", callIds: account.calls[mode] } }),
  },
  listLiveCalls: NOTHING,
  getCallNotes: { make: aCall, ofOneMode: true },
  changeCallNotes: {
    make: (account, mode) => ({ ...aCall(account, mode), json: { note: "By the matrix" } }),
    ofOneMode: true,
  },
  createCallShare: { make: aCanceledCall, ofOneMode: true },
  listCallShares: { make: aCall, ofOneMode: true },
  deleteCallShare: { make: async (account, mode) => (await aCallShare(account, mode)).share, ofOneMode: true },
  getSharedCall: {
    make: async (account, mode) => ({ query: { token: (await aCallShare(account, mode)).token } }),
    isForAnyoneWho: "knows the link",
  },
  createBatch: {
    make: (account) => ({
      json: { name: "By the matrix", agentId: account.agentId, rows: [{ phoneNumber: "+15550100001" }] },
    }),
    namesInBody: true,
  },
  checkBatch: {
    make: (account) => ({ json: { agentId: account.agentId, rows: [{ phoneNumber: "+15550100001" }] } }),
    namesInBody: true,
  },
  listBatches: NOTHING,
  getBatch: { make: aBatch, ofOneMode: true },
  listBatchRows: { make: aBatch, ofOneMode: true },
  exportBatchResults: { make: aBatch, ofOneMode: true },
  pauseBatch: { make: aBatch, ofOneMode: true },
  resumeBatch: { make: aBatch, ofOneMode: true },
  cancelBatch: { make: aBatch, ofOneMode: true },
  listCallViews: NOTHING,
  createCallView: { make: () => ({ json: { name: "By the matrix", query: { status: "failed" } } }) },
  deleteCallView: {
    async make(account) {
      const json = { name: `View ${count++}`, query: {} };
      return { params: { id: (await make(account, { path: "/api/v1/call-views", json })).id } };
    },
  },
  getCall: { make: aCall, ofOneMode: true },
  hangupCall: { make: aCall, ofOneMode: true },
  // A call that was answered and has ended is more than the matrix creates.
  analyzeCall: { make: aCall, ofOneMode: true, letIn: { status: 409, code: "invalid_state" } },
  listCallEvents: { make: aCall, ofOneMode: true },
  getTranscript: { make: aCall, ofOneMode: true },
  getRecording: { make: aCall, ofOneMode: true },
  eraseCallData: { make: aCanceledCall, ofOneMode: true },
  createRecordingLink: { make: aCall, ofOneMode: true },
  followRecordingLink: { make: aRecordingLink, isForAnyoneWho: "knows the link" },
  getRecordingPeaks: { make: aCall, ofOneMode: true },
  // Long calls would end before the matrix reaches them.
  listenToCall: { make: aCall, ofOneMode: true, letIn: { status: 409, code: "invalid_state" } },
  followCalls: NOTHING,

  listAgents: NOTHING,
  createAgent: { make: () => ({ json: { name: "Made by the matrix" } }) },
  getAgent: { make: anAgent },
  changeAgent: {
    make: async (account) => ({
      params: await draft(account),
      json: { description: "changed" },
      headers: { "if-match": '"1"' },
    }),
  },
  deleteAgent: { make: async (account) => ({ params: await draft(account) }) },
  // Restoring what was not deleted changes nothing.
  restoreAgent: { make: anAgent },
  checkAgent: { make: (account) => ({ ...anAgent(account), json: {} }) },
  describeAgent: {
    make: (account) => ({ ...anAgent(account), json: { description: "Greets the callee and hangs up." } }),
    // The matrix has no language model.
    letIn: { status: 409, code: "invalid_state" },
  },
  publishAgent: { make: (account) => ({ ...anAgent(account), json: { note: "by the matrix" } }) },
  listAgentVersions: { make: anAgent },
  getNodeNumbers: { make: anAgent },
  getUnmatchedAnswers: { make: (account) => ({ params: { id: account.agentId, nodeId: "ask" } }) },
  getAgentVersion: { make: (account) => ({ params: { id: account.agentId, version: "1" } }) },
  rollbackAgent: { make: (account) => ({ ...anAgent(account), json: { version: 1 } }) },
  tryAgent: { make: (account) => ({ ...anAgent(account), json: {} }) },
  // An allowed caller learns that this endpoint speaks another protocol.
  tryAgentByVoice: { make: anAgent, letIn: { status: 400, code: "bad_request" } },
  tryTool: {
    // At a port of this machine where nothing listens.
    make: (account) => ({ ...anAgent(account), json: { request: { method: "GET", url: "http://127.0.0.1:9/" } } }),
  },
  listScenarios: { make: anAgent },
  createScenario: {
    async make(account) {
      return { params: await draft(account), json: NEW_SCENARIO };
    },
  },
  importScenarios: {
    async make(account) {
      return { params: await draft(account), json: { scenarios: [NEW_SCENARIO] } };
    },
  },
  changeScenario: { make: async (account) => ({ params: await aScenario(account), json: { name: "Changed" } }) },
  deleteScenario: { make: async (account) => ({ params: await aScenario(account) }) },
  runScenarios: {
    make: async (account) => ({ ...anAgent(account), json: { on: "text", ids: [(await aScenario(account)).id] } }),
  },
  getScenarioRun: { make: async (account) => ({ params: await aScenarioRun(account) }) },
  createScenarioFromCall: { make: aCall, ofOneMode: true, letIn: { status: 409, code: "invalid_state" } },
  listAgentTemplates: NOTHING,
  getToolSecret: NOTHING,
  rotateToolSecret: NOTHING,

  listMcpServers: NOTHING,
  createMcpServer: {
    async make(account) {
      await roomForMcpServers(account);
      return { json: newMcpServer() };
    },
  },
  getMcpServer: { make: aMcpServer },
  changeMcpServer: { make: async (account) => ({ ...(await aMcpServer(account)), json: { timeoutMs: 600 } }) },
  deleteMcpServer: { make: aMcpServer },
  refreshMcpServer: { make: aMcpServer },
  approveMcpTools: {
    make: async (account) => ({ ...(await aMcpServer(account)), json: { revoke: ["find_customer"] } }),
  },

  startDeviceSignIn: { make: () => ({ json: { client: "The matrix" } }) },
  fetchDeviceKey: { make: () => ({ json: { deviceCode: "unknown" } }) },
  getDeviceSignIn: { make: aDeviceSignIn, isForAnyoneWho: "knows the code" },
  approveDeviceSignIn: {
    make: async (account) => ({ ...(await aDeviceSignIn(account)), json: { mode: "test" } }),
    isForAnyoneWho: "knows the code",
  },
  denyDeviceSignIn: { make: aDeviceSignIn, isForAnyoneWho: "knows the code" },

  listWebhooks: NOTHING,
  createWebhook: {
    async make(account, mode) {
      await roomForWebhooks(account, mode);
      return { json: NEW_WEBHOOK };
    },
  },
  getWebhook: { make: aWebhook, ofOneMode: true },
  changeWebhook: {
    make: async (...of) => ({ ...(await aWebhook(...of)), json: { description: "changed" } }),
    ofOneMode: true,
  },
  deleteWebhook: { make: freshWebhook, ofOneMode: true },
  getWebhookSecret: { make: aWebhook },
  rotateWebhookSecret: { make: aWebhook, ofOneMode: true },
  testWebhook: { make: aWebhook, ofOneMode: true },
  listDeliveries: { make: aWebhook, ofOneMode: true },
  listCallDeliveries: { make: aCall, ofOneMode: true },
  replayWebhook: {
    make: async (...of) => ({ ...(await aWebhook(...of)), query: { since: "2026-01-01T00:00:00Z" } }),
    ofOneMode: true,
  },
  getDelivery: { make: aDelivery, ofOneMode: true },
  replayDelivery: { make: aDelivery, ofOneMode: true },

  listEngines: NOTHING,
  listVoices: NOTHING,
  previewVoice: { make: () => ({ params: { id: "slt" }, json: { text: "Hello." } }), isEverybodys: true },
  getAccess: NOTHING,
  getAccount: NOTHING,
  listLedger: NOTHING,
  getUsage: NOTHING,
  getUsageBreakdown: { make: () => ({ query: { by: "agent" } }) },
  getRate: { make: () => ({ query: { phoneNumber: "+15550100001" } }) },
  listSuppressions: NOTHING,
  addSuppression: { make: () => ({ json: { phoneNumber: freshNumber(), reason: "asked" } }) },
  importSuppressions: { make: () => ({ json: { phoneNumbers: [freshNumber(), freshNumber()], reason: "asked" } }) },
  removeSuppression: {
    async make(account) {
      const phoneNumber = freshNumber();
      await make(account, { path: "/api/v1/suppressions", json: { phoneNumber } });
      return { query: { phoneNumber } };
    },
    unknown: { query: { phoneNumber: "+15559999999" } },
  },
  getSettings: NOTHING,
  listAlerts: NOTHING,
  getAlertRules: NOTHING,
  changeAlertRules: { make: () => ({ json: { quietMinutes: 30 } }) },
  changeSettings: { make: () => ({ json: { dailySpendCap: "100.00" } }) },

  signUp: UNREADABLE,
  signIn: UNREADABLE,
  checkLink: UNREADABLE,
  claimAccount: UNREADABLE,
  resetPassword: UNREADABLE,
  signInWithCode: UNREADABLE,
  signOut: {
    make: async (account) => ({ cookie: (await signInAgain(account.base, account.owner.email)).cookie }),
  },
  getMe: NOTHING,
  getSecondFactor: NOTHING,
  // A right password would make the rest of the matrix sign in with codes, and wrong ones are limited.
  startSecondFactor: UNREADABLE,
  confirmSecondFactor: UNREADABLE,
  replaceRecoveryCodes: UNREADABLE,
  disableSecondFactor: UNREADABLE,
  listSessions: NOTHING,
  endSession: {
    async make(account) {
      const { cookie } = await signInAgain(account.base, account.owner.email);
      const sessions = dataOf(await send(account.base, { path: "/auth/sessions", headers: cookie }));
      const { id } = sessions.find((session: { isCurrent: boolean }) => session.isCurrent);
      return { params: { id }, cookie };
    },
  },
  // Of someone without another session, so that those of the matrix stay valid.
  endOtherSessions: {
    make: async (account) => ({ cookie: (await addMember(account.base, account.owner.cookie)).cookie }),
  },
  // A valid change would end the sign-ins that the rest of the matrix uses.
  changePassword: {
    make: () => ({ json: { currentPassword: "not the password", newPassword: "something-else-9731" } }),
    letIn: { status: 422, code: "validation_failed" },
  },

  listApiKeys: NOTHING,
  createApiKey: { make: () => ({ json: { name: "Made by the matrix", mode: "test" } }) },
  revokeApiKey: {
    async make(account) {
      const { id } = await make(account, { path: "/api/v1/api-keys", json: { name: "to be revoked", mode: "test" } });
      return { params: { id } };
    },
  },
  listMembers: NOTHING,
  inviteMember: { make: () => ({ json: { email: freshEmail() } }) },
  changeMember: {
    async make(account) {
      const { id } = await make(account, { path: "/api/v1/members", json: { email: freshEmail() } });
      return { params: { id }, json: { role: "owner" } };
    },
  },
  removeMember: {
    async make(account) {
      const { id } = await make(account, { path: "/api/v1/members", json: { email: freshEmail() } });
      return { params: { id } };
    },
  },
  listAudit: NOTHING,
  listOperatorAccounts: NOTHING,
  changeOperatorAccount: { make: (account) => ({ params: { id: account.id }, json: { queuedMax: 5000 } }) },
  changeAccountCredit: {
    make: (account) => ({ params: { id: account.id }, json: { change: "add", amount: "0.01", note: "by the matrix" } }),
  },

  listTrunks: NOTHING,
  createTrunk: { make: () => ({ json: newTrunk() }) },
  getTrunk: { make: async (account) => ({ params: await aTrunk(account) }) },
  changeTrunk: { make: async (account) => ({ params: await aTrunk(account), json: { channelsMax: 5 } }) },
  deleteTrunk: { make: async (account) => ({ params: await aTrunk(account) }) },
  // At a port of this machine where nothing listens, so that the examination ends immediately and calls no one.
  examineTrunk: {
    make: async (account) => ({ params: await aTrunk(account, { host: "127.0.0.1", port: 1, transport: "tcp" }) }),
  },
  // The local engine makes no request to a vendor.
  examineEngine: { make: () => ({ params: { name: "local" } }) },
  listProviders: NOTHING,
  createProvider: { make: noProvider },
  changeProvider: { make: async (account) => ({ ...(await aProvider(account)), json: { use: "off" } }) },
  removeProvider: { make: aProvider },
  listTrunkRoutes: NOTHING,
  createTrunkRoute: {
    make: async (account) => ({ json: { prefix: "49", trunkId: (await aTrunk(account)).id } }),
  },
  changeTrunkRoute: { make: async (account) => ({ params: await aTrunkRoute(account), json: { weight: 5 } }) },
  getGate: NOTHING,
  changeGate: { make: () => ({ json: { callsPerNumberAndDay: 10 } }) },
  getAccountGate: { make: (account) => ({ params: { id: account.id } }) },
  changeAccountGate: { make: (account) => ({ params: { id: account.id }, json: { countries: null } }) },
  listRouteRates: NOTHING,
  setRouteRate: { make: () => ({ json: { prefix: "+999", perMinute: "0.01", description: "by the matrix" } }) },
  removeRouteRate: {
    async make(account) {
      const prefix = `+999${count++}`;
      await send(account.base, {
        path: "/api/v1/operator/rates",
        headers: account.owner.cookie,
        json: { prefix, perMinute: "0.01" },
      });
      return { query: { prefix } };
    },
    unknown: { query: { prefix: "+998877" } },
  },
  importRouteRates: { make: () => ({ json: { rates: [{ prefix: "+99917", perMinute: "0.01" }] } }) },
  listEngineRates: NOTHING,
  listProviderRates: NOTHING,
  setProviderRate: { make: () => ({ json: { provider: "openai", unit: "input_1m_tokens", price: "0.25" } }) },
  setEngineRate: { make: () => ({ json: { engine: "local", perMinute: "0.01" } }) },
  deleteTrunkRoute: { make: async (account) => ({ params: await aTrunkRoute(account) }) },
};
