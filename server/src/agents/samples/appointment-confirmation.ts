import type { SampleAgent } from "./sample-agent.ts";

/** Confirms an appointment, moves it to another day, or cancels it. */
export const APPOINTMENT_CONFIRMATION: SampleAgent = {
  name: "Appointment confirmation",
  description:
    'Asks whether the callee will come, would rather come another day, or wants to cancel. Variables: first_name ("Ada"), from_whom ("from Green Street Dental"), appointment_time ("on Tuesday at ten").',
  language: "en-US",
  flow: {
    schemaVersion: 1,
    variables: ["first_name", "from_whom", "appointment_time"],
    nodes: [
      { id: "start", type: "start", next: "greeting" },
      {
        id: "greeting",
        type: "say",
        label: "Say who calls and why",
        text: "Hello {{first_name}}. This is an automated call {{from_whom}} about your appointment {{appointment_time}}.",
        next: "decision",
      },
      {
        id: "decision",
        type: "ask",
        label: "Come, move or cancel?",
        text: "Will you come, would you rather come another day, or do you want to cancel?",
        answer: "choice",
        saveAs: "decision",
        exits: [
          { when: "I will come", next: "confirmed" },
          { when: "another day", next: "new_date" },
          { when: "cancel", next: "really_cancel" },
        ],
        otherwise: "decision_again",
      },
      {
        id: "decision_again",
        type: "ask",
        label: "Ask once more",
        text: "Sorry, I did not get that. Please say: I will come, another day, or cancel.",
        answer: "choice",
        saveAs: "decision",
        exits: [
          { when: "I will come", next: "confirmed" },
          { when: "another day", next: "new_date" },
          { when: "cancel", next: "really_cancel" },
        ],
        otherwise: "not_understood",
      },
      {
        id: "new_date",
        type: "ask",
        label: "Which day?",
        text: "Of course. Which day would suit you better?",
        answer: "date",
        saveAs: "new_date",
        exits: [],
        otherwise: "new_time",
      },
      {
        id: "new_time",
        type: "ask",
        label: "What time?",
        text: "And at what time?",
        answer: "time",
        saveAs: "new_time",
        exits: [],
        otherwise: "check_move",
      },
      {
        id: "check_move",
        type: "ask",
        label: "Read it back",
        text: "So you would like to come on {{new_date}} at {{new_time}}. Is that right?",
        answer: "yes_no",
        exits: [
          { when: "yes", next: "moved" },
          { when: "no", next: "new_date" },
        ],
        otherwise: "not_understood",
      },
      {
        id: "really_cancel",
        type: "ask",
        label: "Make sure",
        text: "Do you really want to cancel the appointment?",
        answer: "yes_no",
        exits: [
          { when: "yes", next: "canceled" },
          { when: "no", next: "decision" },
        ],
        otherwise: "not_understood",
      },
      { id: "confirmed", type: "end", text: "Wonderful, your appointment is confirmed. See you then. Goodbye." },
      {
        id: "moved",
        type: "end",
        text: "Thank you. I have noted your wish to come on {{new_date}} at {{new_time}}. Goodbye.",
      },
      { id: "canceled", type: "end", text: "Your appointment is canceled. Thank you for telling us. Goodbye." },
      {
        id: "not_understood",
        type: "end",
        text: "I am sorry, I could not understand you. Your appointment stays as it is. Goodbye.",
      },
    ],
  },
};
