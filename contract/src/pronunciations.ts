import { z } from "zod";

/** The symbols of the International Phonetic Alphabet that the voices know, with marks of stress and length. */
const IPA_SYMBOLS = "a-zæçðøŋœɐɑɒɔɕɖəɚɛɜɝɟɡɣɤɥɦɨɪɫɯɰɱɲɳɴɸɹɻɽɾʀʁʂʃʈʉʊʋʌʎʏʐʑʒʔʝʣʤʥʦʧʨβθχᵻˈˌːˑʰʲ.'";
const IPA = new RegExp(
  `^/[${IPA_SYMBOLS}\\u0303\\u0329\\u032f\\u0361 ]*[a-zæøœɐɑɒɔəɚɛɜɝɤɨɪɯʉʊʌʏᵻ][${IPA_SYMBOLS}\\u0303\\u0329\\u032f\\u0361 ]*/$`,
  "u",
);
const RESPELLING = /^\p{L}(?:[\p{L}' -]*\p{L})?$/u;

export const PRONUNCIATIONS_MAX = 200;

/** Whether a text is a pronunciation: IPA between slashes, or words as an English speaker would read them. */
export function isPronunciation(spoken: string): boolean {
  return IPA.test(spoken) || RESPELLING.test(spoken);
}

export const Pronunciation = z
  .strictObject({
    written: z
      .string()
      .trim()
      .min(1)
      .max(60)
      .regex(/^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'’.& -]*[\p{L}\p{N}\p{M}.])?$/u, "must be a word or a phrase")
      .meta({
        example: "Siobhan",
        description: "The word or phrase as it is written. Upper and lower case are alike.",
      }),
    spoken: z
      .string()
      .trim()
      .min(1)
      .max(80)
      .refine(isPronunciation, "must be a respelling such as shi-VAWN, or IPA between slashes such as /ʃɪˈvɔn/")
      .meta({
        example: "/ʃɪˈvɔn/",
        description: "How it is said: a respelling in letters, or IPA between slashes.",
      }),
  })
  .meta({ id: "Pronunciation" });
export type Pronunciation = z.infer<typeof Pronunciation>;

export const Pronunciations = z
  .array(Pronunciation)
  .max(PRONUNCIATIONS_MAX)
  .refine(
    (list) => new Set(list.map(({ written }) => written.toLowerCase())).size === list.length,
    "must not have the same word twice",
  );

/** An agent's own pronunciations, and those of its account for other words. */
export function joinPronunciations(
  own: readonly Pronunciation[],
  ofAccount: readonly Pronunciation[],
): Pronunciation[] {
  const isOwn = new Set(own.map(({ written }) => written.toLowerCase()));
  return [...own, ...ofAccount.filter(({ written }) => !isOwn.has(written.toLowerCase()))];
}
