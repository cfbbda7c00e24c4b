import type { Mode } from "@parley/contract/shared-fields";
import type { UsageGranularity } from "@parley/contract/usage";
import { locale } from "../../languages/language.ts";
import { inLanguage } from "../../languages/texts.ts";

const english = {
  // usage-cards.tsx
  figures: "Figures",
  nothingToCompareWith: "Nothing to compare with",
  ofCalls: (count: number, calls: number): string =>
    `${count.toLocaleString(locale)} of ${calls.toLocaleString(locale)} ${calls === 1 ? "call" : "calls"}`,
  problemCount: (count: number): string => {
    if (count === 0) return "No problems on our side";
    return count === 1 ? "1 problem on our side" : `${count.toLocaleString(locale)} problems on our side`;
  },
  perAnsweredCall: (time: string): string => `${time} per answered call`,
  noAnsweredCalls: "No answered calls",
  testCallsAreFree: "Test calls are free",
  perCall: (cost: string): string => `${cost} per call`,
  noCalls: "No calls",
  medianAndMost: (share: string, delay: string): string => `Median; ${share} within ${delay}`,
  noReplies: "No replies",
  notMeasured: "Not measured for these calls",
  ofReplies: (count: number, replies: number): string =>
    `${count.toLocaleString(locale)} of ${replies.toLocaleString(locale)} ${replies === 1 ? "reply" : "replies"}`,

  // usage-chart.tsx
  arrowKeys: (bucket: UsageGranularity): string => `The arrow keys move by one ${bucket}.`,
  bucket: { day: "Day", hour: "Hour" },
  asATable: "Show as table",
  total: "Total",

  // breakdown-table.tsx
  key: "Key",
  calls: "Calls",
  answered: "Answered",
  completed: "Completed",
  failed: "Failed",
  talkTimeSeconds: "Talk time (seconds)",
  costUsd: "Cost (USD)",
  replies: "Replies",
  interruptions: "Interruptions",
  problems: "Problems",
  responseMedianMs: "Response time (median, ms)",
  responseMost: (share: string): string => `Response time (${share}, ms)`,

  // usage-filters.tsx
  chooseWhatIsCounted: "Filter usage",
  period: "Period",
  agent: "Agent",
  allAgents: "All agents",
  version: "Version",
  allVersions: "All versions",
  engine: "Engine",
  allEngines: "All engines",
  groupBy: "Group by",
  breakdown: "Breakdown",
  dates: "Dates",
  firstDay: "From",
  lastDay: "to",

  // usage-page.tsx
  usage: "Usage",
  testLead: "Test calls that have ended.",
  liveLead: "Live calls that have ended.",
  noCallsInPeriod: "No calls in this period",
  noCallsOfAgent: (mode: Mode, period: string): string => `No ${mode} calls of this agent ended ${period}.`,
  noMatchingCalls: (mode: Mode, period: string): string => `No ${mode} calls with these filters ended ${period}.`,
  noCallsEnded: (mode: Mode, period: string): string => `No ${mode} calls ended ${period}.`,
  goToCalls: "Go to calls",
  loadingNumbers: "Loading usage",
  allOthers: "All others",
  whatTheChartShows: "What the chart shows",
  perBucket: { day: "Per day", hour: "Per hour" },
  measurePerBucket: (measure: string, bucket: UsageGranularity): string => `${measure} per ${bucket}`,
  median: "Median",
  mostReplies: (share: string): string => `${share} of the replies`,
  noResponseTimes: "No response times were measured in this period.",
  inWholePeriod: (measure: string): string => `${measure} in the whole period`,
  chooseAgent: "Choose an agent",
  chooseAgentHint: "Versions are compared within one agent. Choose it above.",
  downloadCsv: "Export CSV",

  // usage-words.ts
  preset: {
    today: "Today",
    week: "7 d",
    month: "30 d",
    quarter: "90 d",
    custom: "Custom",
  },
  grouping: {
    outcome: "Outcome",
    agent: "Agent",
    version: "Version",
    engine: "Engine",
    day: "Day",
    hour: "Hour of the day",
    key: "API key",
  },
  groupingTitles: {
    outcome: "By outcome",
    agent: "By agent",
    version: "By version",
    engine: "By engine",
    day: "By day",
    hour: "By hour of the day",
    key: "By API key",
  },
  measure: {
    calls: "Calls",
    minutes: "Minutes",
    cost: "Cost",
    response: "Response time",
    interruptions: "Interruptions",
  },
  column: {
    calls: "Calls",
    answered: "Answered",
    completed: "Completed",
    minutes: "Minutes",
    cost: "Cost",
    response: "Response",
    slowest: "Slowest",
    interrupted: "Interrupted",
    incidents: "Problems",
  },
  columnNotes: {
    answered: "Share of calls answered by a person or a machine",
    completed: "Share of calls that did not fail",
    minutes: "Talk time, from answer to end",
    response: "Median time that callees waited for a reply",
    slowest: "Time within which 95% of the replies came",
    interrupted: "Share of the agent’s replies that callees interrupted",
    incidents: "Failures on our side",
  },
  card: {
    calls: "Calls",
    answered: "Answered",
    completed: "Completed",
    minutes: "Minutes",
    cost: "Cost",
    response: "Response time",
    interrupted: "Interrupted",
  },
  daysProblems: {
    missing: "Enter both dates.",
    reversed: "The first date must not be after the last.",
    too_long: "Choose at most one year.",
  },
  presetNames: {
    today: "today",
    week: "in the last 7 days",
    month: "in the last 30 days",
    quarter: "in the last 90 days",
  },
  onDay: (day: string): string => `on ${day}`,
  inChosenPeriod: (days: string): string => `in the chosen period (${days})`,
  vsYesterday: "vs. yesterday at this time",
  vsDayBefore: "vs. the day before",
  vsPreviousDays: (days: number): string => `vs. previous ${days.toLocaleString(locale)} days`,
  noChange: "No change",
  points: (amount: string): string => `${amount} points`,
  manyTimesAsMuch: (times: number): string => `Over ${times.toLocaleString(locale)} times as much`,
  placedByMembers: "Placed by members",
};

export type UsageText = typeof english;

export const usageText = inLanguage("usage", english);
