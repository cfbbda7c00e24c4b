import type { SampleAgent } from "./sample-agent.ts";

/** Reminds of a payment. It says nothing about money before it knows that it speaks with the right person. */
export const PAYMENT_REMINDER: SampleAgent = {
  name: "Payment reminder",
  description:
    'Reminds the account holder of a payment and notes when it will come. Variables: full_name ("Ada Lovelace"), from_whom ("from City Power"), amount ("of forty dollars"), due_date ("on Friday").',
  language: "en-US",
  flow: {
    schemaVersion: 1,
    variables: ["full_name", "from_whom", "amount", "due_date"],
    nodes: [
      { id: "start", type: "start", next: "right_person" },
      {
        id: "right_person",
        type: "ask",
        label: "Is it the right person?",
        text: "Hello. This is an automated call {{from_whom}}. Am I speaking with the account holder {{full_name}}?",
        answer: "yes_no",
        exits: [
          { when: "yes", next: "reminder" },
          { when: "no", next: "wrong_person" },
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
        answer: "choice",
        saveAs: "intention",
        exits: [
          { when: "already paid", next: "paid" },
          { when: "pay soon", next: "payment_date" },
          { when: "more time", next: "requested_date" },
        ],
        otherwise: "intention_again",
      },
      {
        id: "intention_again",
        type: "ask",
        label: "Ask once more",
        text: "Sorry, I did not get that. Please say: already paid, pay soon, or more time.",
        answer: "choice",
        saveAs: "intention",
        exits: [
          { when: "already paid", next: "paid" },
          { when: "pay soon", next: "payment_date" },
          { when: "more time", next: "requested_date" },
        ],
        otherwise: "not_understood",
      },
      {
        id: "payment_date",
        type: "ask",
        label: "When will it come?",
        text: "Thank you. On which day will you pay?",
        answer: "date",
        saveAs: "payment_date",
        exits: [],
        otherwise: "promised",
      },
      {
        id: "requested_date",
        type: "ask",
        label: "Until when?",
        text: "I understand. Until which day would you need?",
        answer: "date",
        saveAs: "requested_date",
        exits: [],
        otherwise: "requested",
      },
      { id: "paid", type: "end", text: "Then please disregard this reminder. Thank you, and goodbye." },
      { id: "promised", type: "end", text: "Thank you. I have noted {{payment_date}}. Goodbye." },
      {
        id: "requested",
        type: "end",
        text: "I have noted that you ask for time until {{requested_date}}. You will hear from us. Goodbye.",
      },
      { id: "wrong_person", type: "end", text: "Then I am sorry to have disturbed you. Goodbye." },
      {
        id: "not_understood",
        type: "end",
        text: "I am sorry, I could not understand you. We will write to you instead. Goodbye.",
      },
    ],
  },
};
