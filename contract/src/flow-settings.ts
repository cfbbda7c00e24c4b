import { z } from "zod";
import { GoesTo, PATIENCES, Retries, Text } from "./flow-fields.ts";
import { Pronunciations } from "./pronunciations.ts";

/** The standard phrases of an agent, by name. Each has an English default. */
export const PHRASE_NAMES = [
  "unclear",
  "unclear_again",
  "not_heard",
  "not_heard_again",
  "unanswered",
  "unanswered_again",
  "again",
  "here",
  "take_your_time",
  "go_on",
  "corrected",
  "confirm",
  "confirm_again",
  "confirm_choice",
  "confirm_choice_again",
  "confirm_yes",
  "confirm_no",
  "yes_or_no",
  "confirm_failed",
  "clarify",
  "clarify_again",
  "clarify_choice",
  "clarify_choice_again",
  "which_day",
  "which_time",
  "which_time_between",
  "press_choice",
  "press_digits",
  "press_yes_no",
  "say_number",
  "say_date",
  "say_time",
  "say_name",
  "say_digits",
  "say_words",
  "once_more",
  "offer_reason",
  "offer_callback",
  "offer_callback_again",
  "callback_noted",
  "no_human",
  "machine",
  "scam",
  "number_source",
  "how_long",
  "how_much",
  "how_much_known",
  "insult",
  "other_language",
  "wrong_number",
  "not_person",
  "deceased",
  "child",
  "driving",
  "call_later",
  "do_not_call",
  "farewell",
  "trouble",
  "moment",
] as const;
export type PhraseName = (typeof PHRASE_NAMES)[number];

const Translation = z
  .strictObject({
    language: z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/, "must be a language tag such as es or es-ES"),
    texts: z.record(z.string().min(1).max(2000), Text).meta({
      description:
        "Each text of the flow that is said, and the names and phrases of choices, with its translation. Placeholders stay as they are. The language is offered only if everything that is said is translated.",
    }),
  })
  .meta({ id: "FlowTranslation" });

/** Settings for the whole call. All have defaults. */
export const FlowSettings = z
  .strictObject({
    greeting: z.enum(["after_hello", "immediate"]).optional().meta({
      description: "Whether the agent waits for the callee's first words. Default: `after_hello`.",
    }),
    disclosure: Text.nullable().optional().meta({
      description:
        "States that this is an automated call and that it is recorded; spoken once, after a first `say` or before anything else. `null` turns it off.",
    }),
    identification: Text.optional().meta({
      description: "Who is calling and why, for a callee or a screening service that asks. Default: the first text.",
    }),
    voice: z.string().min(1).max(64).optional().meta({
      description:
        "A natural voice such as `af_heart` (the default), or a light one such as `slt`, which sounds robotic and costs less processor time.",
    }),
    pace: z.number().min(0.7).max(1.3).optional().meta({
      description: "How fast the agent speaks: 0.7 is slow, 1.3 fast. Default: 1.",
    }),
    pronunciations: Pronunciations.optional().meta({
      description: "How words are said, in addition to the account's list; the agent's entries come first.",
    }),
    silence: z
      .strictObject({ prompts: z.array(Text).min(1).max(3) })
      .optional()
      .meta({ description: "Spoken when the callee is silent, in order; the open question is then asked again." }),
    holdMusic: z
      .strictObject({
        askAfterMs: z.int().min(5_000).max(3_600_000).optional().meta({
          description: "When the agent asks once, into the music, whether anyone is there. Default: 20000.",
        }),
        giveUpAfterMs: z.int().min(10_000).max(3_600_000).optional().meta({
          description: "When it says goodbye and hangs up. Default: 60000.",
        }),
      })
      .optional()
      .meta({ description: "How long the agent waits when it is put on hold with music." }),
    voicemail: z.enum(["hang_up", "leave_message", "continue"]).optional().meta({
      description: "Default: `leave_message` if the flow has a `voicemail` node, otherwise `hang_up`.",
    }),
    phoneMenu: GoesTo.meta({ description: "The next node if a phone menu answers. Default: wait for a person." }),
    retries: Retries.optional().meta({ description: "For every `ask` without its own retries. Default: none." }),
    interruptible: z.boolean().optional().meta({ description: "Default: `true`." }),
    patience: z.enum(PATIENCES).optional().meta({ description: "Default: `normal`." }),
    fillerAfterMs: z.int().min(0).max(5000).optional().meta({
      description: "How long a request may take before the filler is spoken. Default: 800.",
    }),
    secondOpinion: z.boolean().optional().meta({
      description:
        "Whether a configured language model is asked what the callee meant, beside the rules. It can only doubt or confirm an answer, and point out what the callee has already said for later questions. Default: `true`.",
    }),
    connectAfterFailures: z.boolean().optional().meta({
      description:
        "Whether a callee whose answer is not understood in any retry is connected to a person before the call would end at `otherwise`: by the global node for callees who ask for one, or by the only `transfer` of the flow. Default: `false`.",
    }),
    callback: z
      .strictObject({
        offer: z.boolean().optional().meta({
          description:
            "Whether a callee whose answer is not understood in any retry is offered a callback before the call would end at `otherwise`. Default: `true` with `redial`, otherwise `false`.",
        }),
        redial: z.boolean().optional().meta({
          description:
            "Whether a callee who wants to be called later is called again, at the time that was named, within the calling hours. Default: `false`.",
        }),
        redialsMax: z.int().min(1).max(5).optional().meta({
          description: "How often in a row that may happen. Default: 1.",
        }),
        laterAfterMinutes: z.int().min(10).max(1440).optional().meta({
          description: "When to call again if no time was named. Default: 120.",
        }),
      })
      .optional()
      .meta({
        description:
          "What follows when a callee asks to be called later, or wants it when it is offered. The time is collected as `callback` in any case.",
      }),
    limits: z
      .strictObject({ turnsMax: z.int().min(1).max(500).optional().meta({ description: "Default: 200." }) })
      .optional()
      .meta({ description: "After this many turns of the callee the agent says goodbye." }),
    phrases: z
      .partialRecord(z.enum(PHRASE_NAMES), Text)
      .optional()
      .meta({ description: "Replacements for the agent's standard phrases, for example in another language." }),
    translations: z.array(Translation).max(10).optional().meta({
      description:
        "The texts of the agent in other languages. A callee who answers in one of them is asked, in that language, whether to go on in it.",
    }),
  })
  .meta({ id: "FlowSettings" });
export type FlowSettings = z.infer<typeof FlowSettings>;
