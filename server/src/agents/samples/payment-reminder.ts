import type { SampleAgent } from "./sample-agent.ts";
import { humanNodes, menuNodes, notNowNodes, outcomeNodes, sampleSettings, wrongNumberNodes } from "./sample-nodes.ts";
import { PAYMENT_SCENARIOS } from "./scenarios/payment-reminder.ts";

/** Reminds of a payment. It says nothing about money before it knows that it speaks with the right person. */
export const PAYMENT_REMINDER: SampleAgent = {
  id: "payment_reminder",
  name: "Payment reminder",
  description:
    'Reminds the account holder of a payment and notes when it will come. What came of it is collected as outcome: paid, promised (with payment_date), requested (with requested_date), wrong_person, wrong_number, not_now, wants_human or not_understood. Variables: full_name ("Ada Lovelace"), from_whom ("from City Power"), amount ("of forty dollars"), due_date ("on Friday"), desk_number ("+15550100100", for callees who want a person).',
  language: "en-US",
  scenarios: PAYMENT_SCENARIOS,
  flow: {
    schemaVersion: 1,
    variables: ["full_name", "from_whom", "amount", "due_date", "desk_number"],
    settings: sampleSettings("This is an automated call {{from_whom}} for the account holder."),
    nodes: [
      { id: "start", type: "start", next: "greeting" },
      {
        id: "greeting",
        type: "say",
        label: "Say who calls",
        text: "Hello. This is an automated call {{from_whom}}.",
        next: "right_person",
      },
      {
        id: "right_person",
        type: "ask",
        label: "Is it the right person?",
        text: "Am I speaking with the account holder {{full_name}}?",
        answer: "yes_no",
        exits: [
          { when: "yes", next: "reminder", phrases: ["speaking", "this is me", "that is me"] },
          {
            when: "no",
            next: "wrong_person",
            phrases: ["not here", "not at home", "I am the wife", "I am the husband"],
          },
        ],
        otherwise: "wrong_person",
      },
      {
        id: "reminder",
        type: "say",
        label: "Remind",
        text: "This is a friendly reminder that a payment {{amount}} is due {{due_date}}.",
        next: "intention",
      },
      {
        id: "intention",
        type: "ask",
        label: "Paid, will pay, or more time?",
        text: "Have you already paid, will you pay soon, or do you need more time?",
        reworded: "Please say: already paid, pay soon, or more time.",
        answer: "choice",
        saveAs: "intention",
        exits: [
          {
            when: "already paid",
            key: "1",
            next: "paid",
            phrases: ["I paid", "I have paid", "it is paid", "I did pay it", "I sent it"],
          },
          {
            when: "pay soon",
            key: "2",
            next: "payment_date",
            phrases: ["I will pay", "yes", "I'll pay it", "this week", "I am going to pay", "pay today"],
          },
          {
            when: "more time",
            key: "3",
            next: "requested_date",
            phrases: ["I need more time", "I can't pay", "no", "I have no money", "I can't afford it", "longer"],
          },
        ],
        otherwise: "not_understood",
        retries: { max: 2, texts: ["Sorry, I did not get that. Please say: already paid, pay soon, or more time."] },
      },
      {
        id: "payment_date",
        type: "ask",
        label: "When will it come?",
        text: "Thank you. On which day will you pay?",
        answer: "date",
        saveAs: "payment_date",
        exits: [],
        confirm: { text: "So I note {{answer}}. Is that right?" },
        next: "promised",
        otherwise: "not_understood",
        patience: "patient",
      },
      {
        id: "requested_date",
        type: "ask",
        label: "Until when?",
        text: "I understand. Until which day would you need?",
        answer: "date",
        saveAs: "requested_date",
        exits: [],
        confirm: { text: "So you ask for time until {{answer}}. Is that right?" },
        next: "requested",
        otherwise: "not_understood",
        patience: "patient",
      },
      ...outcomeNodes("paid", "Then please disregard this reminder. Thank you, and goodbye."),
      ...outcomeNodes("promised", "Thank you. I have noted {{payment_date}}. Goodbye."),
      ...outcomeNodes(
        "requested",
        "I have noted that you ask for time until {{requested_date}}. You will hear from us. Goodbye.",
      ),
      ...outcomeNodes("wrong_person", "Then I am sorry to have disturbed you. Goodbye."),
      ...outcomeNodes(
        "not_understood",
        "I am sorry, I could not understand you. We will write to you instead. Goodbye.",
      ),
      ...wrongNumberNodes(),
      ...notNowNodes("I understand. We will write to you instead. Goodbye."),
      ...menuNodes("greeting"),
      ...humanNodes(),
      {
        id: "message",
        type: "voicemail",
        label: "Nothing about money: anybody may hear it",
        text: "Hello. This is an automated call {{from_whom}} for {{full_name}}. Please call us back. Goodbye.",
      },
    ],
  },
};
