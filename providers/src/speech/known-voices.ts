export type VoiceSex = "woman" | "man";

/** A voice of a vendor of which it is known whether it is a woman's or a man's. */
export interface KnownVoice {
  readonly id: string;
  readonly sex: VoiceSex;
  /** The primary subtag of the language that it speaks. Null if it speaks all languages of its vendor. */
  readonly language: string | null;
}

/** The first of these voices for a language given as a BCP 47 tag, and of this sex. */
export function findKnownVoice(voices: readonly KnownVoice[], sex: VoiceSex, language: string): KnownVoice | undefined {
  const [code = ""] = language.toLowerCase().split("-");
  return voices.find((voice) => voice.sex === sex && (voice.language === null || voice.language === code));
}
