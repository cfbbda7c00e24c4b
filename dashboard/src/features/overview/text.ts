import type { Mode } from "@parley/contract/shared-fields";
import { formatCount } from "../../languages/language.ts";
import { inLanguage } from "../../languages/texts.ts";
import type { Period } from "./period.ts";

const PERIODS: Readonly<Record<Period, string>> = {
  day: "the last 24 hours",
  week: "the last 7 days",
  month: "the last 30 days",
  quarter: "the last 90 days",
};

const english = {
  // first-steps.tsx
  firstStepsTitle: "Three steps to your first call",
  firstStepsDone: (done: number): string => `${done} of 3 done. All of them are free.`,
  dismissFirstSteps: "Dismiss the first steps",
  listenTitle: "Listen to a sample agent",
  listenHint: "How it opens a call, in the voice callees hear.",
  stop: "Stop",
  loading: "Loading…",
  listen: "Listen",
  keyTitle: "Create an API key",
  keyHint: "Your programs place calls with it. A test key stays on the simulated network.",
  createKey: "Create a key",
  callTitle: "Place a test call and watch it live",
  callHint: "A simulated person answers. Read along, listen in, then play the recording.",
  placeCall: "Place a call",
  done: "(done)",
  sampleSentence: "Hello, this is how an agent sounds on the phone.",

  // overview-filters.tsx
  chooseAgent: "Choose an agent",
  agent: "Agent",
  allAgents: "All agents",

  // overview-page.tsx
  firstStepsDismissed: "First steps dismissed.",
  overview: "Overview",
  lead: (mode: Mode, period: Period): string => `${mode === "test" ? "Test" : "Live"} calls from ${PERIODS[period]}.`,
  moreNumbers: "View usage",
  period: "Period",
  newCall: "New call",
  noCallsIn: (mode: Mode, period: Period): string => `No ${mode} calls in ${PERIODS[period]}`,
  noCallsHint: "Usage appears here once there are calls.",
  noCallsOfAgentHint: "Choose another period, another version or all agents.",
  loadingFigures: "Loading figures",
  day: "Day",
  hour: "Hour",
  calls: "Calls",
  answeredFailed: (answered: number, failed: number): string =>
    `${formatCount(answered)} answered, ${formatCount(failed)} failed`,
  answered: "Answered",
  notAnswered: "Not answered",
  noCallsInPeriod: "No calls in this period.",
  answerRate: "Answer rate",
  answerRateNote: "Share of calls that were answered",
  noAnswers: "No calls were answered in this period.",
  minutes: "Minutes",
  minutesNote: "From answer to hang-up",
  noTalkTime: "No talk time in this period.",
  spend: "Spend",
  spendNote: "Total cost of calls",
  testCallsAreFree: "Test calls cost nothing.",
  nothingSpent: "Nothing was spent in this period.",
  responseTime: "Response time",
  responseTimeNote: "How long callees wait for a reply",
  responseTimeFigures: (replies: number, delay95: string): string =>
    `Median of ${formatCount(replies)} ${replies === 1 ? "reply" : "replies"}; 95th percentile ${delay95}`,
  median: "Median",
  percentile95: "95th percentile",
  noReplies: "No replies were measured in this period.",
  interruptions: "Interruptions",
  interruptionsOf: (count: number, replies: number): string =>
    `Callees interrupted ${formatCount(count)} of ${formatCount(replies)} ${replies === 1 ? "reply" : "replies"}`,
  interruptionsNotCounted: "They were not counted for the whole period",
  noInterruptions: "No replies were interrupted in this period.",
  howCallsEnded: "How calls ended",
  noCallEnded: "No call has ended in this period.",
  endedInOtherWays: (count: number): string => `${formatCount(count)} ended in other ways`,

  // period.ts
  period24Hours: "24 h",
  period7Days: "7 d",
  period30Days: "30 d",
  period90Days: "90 d",

  // time-chart.tsx
  valueAtPointer: (name: string, value: string): string => `${name.toLowerCase()} ${value}`,
  asATable: "Show as table",
};

export type OverviewText = typeof english;

export const overviewText = inLanguage("overview", english);
