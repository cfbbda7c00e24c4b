import type { Mode } from "@parley/contract/shared-fields";
import type { ReactNode } from "react";
import { locale } from "../../../languages/language.ts";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // batch-page.tsx
  batch: "Batch",
  noSuchBatch: (mode: Mode): string => `There is no such ${mode} batch`,
  loadingBatch: "Loading batch",
  created: (time: ReactNode): ReactNode => <>Created {time}</>,
  resultsAsCsv: "Export CSV",
  pausedBecause: (why: string): string =>
    `Paused: ${why} Resume the batch once this is resolved; no one is called twice.`,
  pause: "Pause",
  resume: "Resume",
  cancel: "Cancel",
  cancelQuestion: "Cancel this batch?",
  cancelLead: (waiting: number): string =>
    `${waiting.toLocaleString(locale)} ${waiting === 1 ? "number" : "numbers"} will not be called. Calls that were already placed continue.`,
  keepBatch: "Keep batch",
  cancelBatch: "Cancel batch",
  waiting: "Waiting",
  scheduledOrLive: "Not ended yet",
  completed: "Completed",
  failed: "Failed",
  notCalled: "Not called",
  progress: "Progress",
  finishedRows: "Finished rows",
  rows: "Rows",
  loadingRows: "Loading rows",
  showMore: "Show more",
  placed: "Placed",
  canceled: "Canceled",

  // batch-queries.ts
  batchStatus: {
    running: "Calling",
    paused: "Paused",
    done: "All placed",
    canceled: "Canceled",
  },

  // batches-page.tsx
  newBatch: "New batch",
  batches: "Batches",
  batchesLead: "Each batch calls a list of numbers.",
  loadingBatches: "Loading batches",
  noBatchesYet: "No batches yet",
  noBatchesHint: "Paste or drop a list of up to 1,000 numbers. It is checked row by row before anyone is called.",
  finished: "Finished",
  progressOfRows: (done: number, rows: number): string =>
    `${done.toLocaleString(locale)} of ${rows.toLocaleString(locale)}`,

  // new-batch-page.tsx
  testLead: "Uses the simulated network and is free.",
  liveLead: "Each call is charged to your credit.",
  name: "Name",
  namePlaceholder: "Reminders for Monday",
  agent: "Agent",
  callAtOptional: "Call at (optional)",
  timeInPast: "Choose a time in the future.",
  numbers: "Numbers",
  columns: "Columns",
  listHint: (rowsMax: number): string =>
    `Paste a list of up to ${rowsMax.toLocaleString(locale)} rows, or drop a CSV file here. One column must contain phone numbers with country codes.`,
  chooseFile: "Choose a file",
  listExample: "phone,first_name\n+15550100001,Ada\n+15550100010,Grace",
  columnUse: (column: string): string => `Use ${column} as`,
  phoneNumber: "Phone number",
  variable: (name: string): string => `Variable ${name}`,
  metadata: "Metadata",
  ignore: "Ignore",
  check: "Check",
  noNumberColumn: "Choose the column with the phone numbers.",
  checkProgress: (checked: number, rows: number): string =>
    `Checked ${checked.toLocaleString(locale)} of ${rows.toLocaleString(locale)} rows…`,
  notCheckedYet: (rows: number): string =>
    `${rows === 1 ? "1 row. Check it" : `${rows.toLocaleString(locale)} rows. Check them`} before anyone is called.`,
  mayMissValues: (rows: number): string =>
    `Also call the ${rows.toLocaleString(locale)} ${rows === 1 ? "row" : "rows"} with missing values`,
  mayMissValuesHint: "The agent leaves missing values out of its sentences.",
  rowsWithProblems: "Rows with problems",
  row: (number: number): string => `Row ${number}`,
  noNumber: "No number",
  /** The service writes it in English; other languages word it by its code. */
  problem: ({ message }: { readonly code: string; readonly message: string }): string => message,
  moreRowsWithProblems: (rows: number): string =>
    rows === 1 ? "And 1 more row with problems." : `And ${rows.toLocaleString(locale)} more rows with problems.`,
  checkAgain: "Check again",
  checkRows: (rows: number): string => (rows === 1 ? "Check 1 row" : `Check ${rows.toLocaleString(locale)} rows`),
  placeCalls: (calls: number): string => (calls === 1 ? "Place 1 call" : `Place ${calls.toLocaleString(locale)} calls`),
  scheduleCalls: (calls: number): string =>
    calls === 1 ? "Schedule 1 call" : `Schedule ${calls.toLocaleString(locale)} calls`,
  nameMissing: "Give the batch a name first.",
  repeatedNumber: "This number appears earlier in the list.",
  rowsReady: (rows: number): string =>
    rows === 1 ? "1 row is ready to call." : `${rows.toLocaleString(locale)} rows are ready to call.`,
  rowsLeftOut: (rows: number): string =>
    rows === 1
      ? "1 row has a problem and is left out."
      : `${rows.toLocaleString(locale)} rows have problems and are left out.`,
  waitForCallingHours: (rows: number): string => `${rows.toLocaleString(locale)} will wait for calling hours.`,
  upToPerMinute: (price: string): string => `Up to ${price} per minute.`,

  // read-list.ts
  openQuote: (line: number): string => `Line ${line} has an unclosed quotation mark.`,
  emptyList: "The list is empty.",
  headerOnly: "The list has a header row but no numbers.",
  tooManyRows: (rows: number, rowsMax: number): string =>
    `The list has ${rows.toLocaleString(locale)} rows. A batch can have at most ${rowsMax.toLocaleString(locale)}.`,
  columnNumber: (number: number): string => `Column ${number}`,
};

export type BatchesText = typeof english;

export const batchesText = inLanguage("calls/batches", english);
