import type { SampleAgent } from "./sample-agent.ts";
import {
  humanNodes,
  LOST,
  lostNodes,
  menuNodes,
  notNowNodes,
  outcomeNodes,
  sampleSettings,
  wrongNumberNodes,
} from "./sample-nodes.ts";
import { FOLLOW_UP_SCENARIOS } from "./scenarios/visit-follow-up.ts";

const PROMPT = `You are the assistant of a clinic and called a patient back after a visit. The patient has a question, or said something that the questionnaire has no place for.
Answer from these facts alone: {{facts}}
You are not a doctor: never judge symptoms, and never advise on medication. For anything medical, or when you do not know, offer that a nurse calls back, and ask when that would suit.
If it sounds like an emergency, tell them to hang up and dial nine one one.
Before you leave, say in one sentence what you noted, and wait for a yes.`;

/** Asks by rules, and lets a language model talk where the callee wants more than the rules know. It works without one, too. */
export const VISIT_FOLLOW_UP: SampleAgent = {
  id: "visit_follow_up",
  name: "Visit follow-up",
  description:
    'Asks how the callee is doing after a visit, and whether there are questions. The answers are understood by rules; questions, and what the rules do not understand, go to a language model that knows the facts. Without a model the question is noted for the team. The result is collected as outcome: checked_in, callback_requested (with callback_date and callback_time), question_answered, question_noted (with question), wrong_number, not_now, wants_human or not_understood. Variables: first_name ("Ada"), from_whom ("from Green Street Clinic"), visit ("on Monday"), facts ("The clinic is open from eight to six. Stitches come out after ten days."), desk_number ("+15550100100", for callees who want a person).',
  language: "en-US",
  scenarios: FOLLOW_UP_SCENARIOS,
  flow: {
    schemaVersion: 1,
    variables: ["first_name", "from_whom", "visit", "facts", "desk_number"],
    settings: sampleSettings("This is an automated call {{from_whom}} to check in after your visit {{visit}}.", {
      how_much: "I'm sorry, I don't have any prices here. This call doesn't cost you anything.",
    }),
    nodes: [
      { id: "start", type: "start", next: "greeting" },
      {
        id: "greeting",
        type: "say",
        label: "Say who calls and why",
        text: "Hi {{first_name}}, I'm calling {{from_whom}} to check in after your visit {{visit}}.",
        next: "feeling",
      },
      {
        id: "feeling",
        type: "ask",
        label: "Better, the same or worse?",
        text: "How are you doing: better, about the same, or worse?",
        reworded: "Compared with the day of your visit, do you feel better, about the same, or worse?",
        answer: "choice",
        saveAs: "feeling",
        exits: [
          {
            when: "better",
            readBack: "you're doing better",
            key: "1",
            next: "any_questions",
            phrases: ["I'm fine", "much better", "doing well", "improving", "good", "all healed up", "back to normal"],
          },
          {
            when: "about the same",
            readBack: "it's about the same",
            key: "2",
            next: "nurse",
            phrases: [
              "the same",
              "no change",
              "no different",
              "nothing has changed",
              "so so, no different",
              "as before",
            ],
          },
          {
            when: "worse",
            readBack: "you're feeling worse",
            key: "3",
            next: "nurse",
            phrases: ["bad", "it hurts more", "more pain", "getting worse", "terrible", "awful", "going downhill"],
          },
        ],
        otherwise: "talk",
        retries: { max: 1, texts: ["Sorry, I didn't get that. Are you doing better, about the same, or worse?"] },
      },
      {
        id: "nurse",
        type: "ask",
        label: "Offer a nurse",
        text: "Thanks for telling me. Would you like a nurse to call you back?",
        reworded: "A nurse can call you about it. Would you like that?",
        answer: "yes_no",
        saveAs: "wants_nurse",
        exits: [
          {
            when: "yes",
            next: "callback_date",
            phrases: ["have somebody call me", "that would help", "I'd like that"],
          },
          {
            when: "no",
            next: "any_questions",
            phrases: ["that's not necessary", "I'll manage", "I don't need a nurse"],
          },
        ],
        otherwise: "talk",
      },
      {
        id: "callback_date",
        type: "ask",
        label: "Which day?",
        text: "Sure. What day is best for you?",
        reworded: "On what day should the nurse call? You can say today, tomorrow, or another day.",
        answer: "date",
        saveAs: "callback_date",
        exits: [],
        next: "callback_time",
        otherwise: LOST,
        patience: "patient",
      },
      {
        id: "callback_time",
        type: "ask",
        label: "What time?",
        text: "And what time should the nurse call?",
        answer: "time",
        saveAs: "callback_time",
        exits: [],
        next: "check_callback",
        otherwise: LOST,
        patience: "patient",
      },
      {
        id: "check_callback",
        type: "ask",
        label: "Read it back",
        text: "So a nurse will call you on {{callback_date}} at {{callback_time}}. Is that right?",
        answer: "yes_no",
        exits: [
          { when: "yes", next: "callback_requested" },
          { when: "no", next: "callback_date" },
        ],
        otherwise: LOST,
      },
      {
        id: "any_questions",
        type: "ask",
        label: "Any questions?",
        text: "Okay. Do you have any questions for us?",
        reworded: "Is there anything you'd like to ask us?",
        answer: "yes_no",
        saveAs: "has_questions",
        exits: [
          {
            when: "yes",
            next: "talk",
            phrases: ["I do", "I have a question", "one thing", "there is something I wanted to ask"],
          },
          {
            when: "no",
            next: "checked_in",
            phrases: ["nothing", "I'm good", "no questions", "no, that's all", "all clear"],
          },
        ],
        otherwise: "talk",
        retries: { max: 0 },
      },
      {
        id: "talk",
        type: "conversation",
        label: "Talk about what the rules do not know",
        prompt: PROMPT,
        optional: true,
        exits: [
          {
            when: "The callee wants a nurse to call, and has agreed to the time that you read back.",
            next: "nurse_noted",
          },
          { when: "The callee's question is answered, and there are no more.", next: "question_answered" },
          {
            when: "The question cannot be answered from the facts, and was noted for the team.",
            next: "question_noted",
          },
          { when: "The callee wants to speak with a person now.", next: "human" },
        ],
        saves: [
          { saveAs: "question", description: "What the callee asked or said, in one sentence." },
          { saveAs: "callback_wish", description: "When a nurse should call, in the callee's words." },
        ],
        turnsMax: 12,
        otherwise: "question",
      },
      {
        id: "question",
        type: "ask",
        label: "Note it for the team",
        text: "I'll pass that on to our team. What's your question for them?",
        answer: "free_text",
        saveAs: "question",
        exits: [],
        otherwise: "question_noted",
        patience: "patient",
      },
      {
        id: "emergency",
        type: "say",
        label: "An emergency is none of our business",
        text: "If this is an emergency, please hang up right now and dial nine one one.",
        global: {
          phrases: ["I can't breathe", "chest pain", "it's an emergency", "I need an ambulance", "I'm bleeding badly"],
          returns: true,
        },
      },
      ...outcomeNodes("checked_in", "Thanks for talking with me. Take care, and goodbye."),
      ...outcomeNodes(
        "callback_requested",
        "Great, I've noted {{callback_date}} at {{callback_time}}. Take care, and goodbye.",
      ),
      {
        id: "nurse_noted",
        type: "set",
        label: "Outcome: callback requested",
        values: [{ saveAs: "outcome", value: '"callback_requested"' }],
        next: "nurse_noted_bye",
      },
      {
        id: "nurse_noted_bye",
        type: "end",
        text: "All right, a nurse will call you. Take care, and goodbye.",
        outcome: "callback_requested",
        success: true,
      },
      ...outcomeNodes("question_answered", "You're welcome. Take care, and goodbye."),
      ...outcomeNodes(
        "question_noted",
        "Thanks, I've noted that, and someone will get back to you. Take care, and goodbye.",
      ),
      ...lostNodes("I'm sorry, I'm having trouble understanding you. Someone will call you back. Goodbye."),
      ...wrongNumberNodes(),
      ...notNowNodes("No problem, I'll let you go. Take care, and goodbye."),
      ...menuNodes("greeting"),
      ...humanNodes(),
      {
        id: "message",
        type: "voicemail",
        label: "Nothing about health: anybody may hear it",
        text: "Hi {{first_name}}, this is an automated message {{from_whom}}. Please give us a call back if you have any questions. Thanks, and goodbye.",
      },
    ],
  },
};
