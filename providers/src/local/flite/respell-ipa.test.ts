import { isPronunciation } from "@parley/contract/pronunciations";
import fc from "fast-check";
import { expect, test } from "vitest";
import { respellIpa } from "./respell-ipa.ts";

test.each([
  ["/ʃɪˈvɔn/", "shivawn"],
  ["/wɪn/", "win"],
  ["/ˈdʒeɪmz/", "jaymz"],
  ["/ˈt͡ʃaɪ.nə/", "chighnuh"],
  ["/hoˈse/", "hohssay"],
  ["/ˈɡiːz/", "gheez"],
  ["/ˈaɪzək/", "eyezuhk"],
  ["/bɔ̃ ˈʒuɹ/", "bawn zhoor"],
  ["/ˈmjynçən/", "myoonhuhn"],
  ["ʃɪvɔn", "shivawn"],
])("%s is respelled %s", (ipa, respelling) => {
  expect(respellIpa(ipa)).toBe(respelling);
});

test.each(["/ʘa/", "/a5/", "/ʃtk/", "//"])("%s has no respelling", (ipa) => {
  expect(respellIpa(ipa)).toBeNull();
});

test("every pronunciation that may be listed is letters or has no respelling", () => {
  const symbol = fc.constantFrom(
    ..."abcdefghijklmnopqrstuvwxyzæçðøŋœɐɑɒɔɕɖəɚɛɜɝɟɡɣɤɥɦɨɪɫɯɰɱɲɳɴɸɹɻɽɾʀʁʂʃʈʉʊʋʌʎʏʐʑʒʔʝʣʤʥʦʧʨβθχᵻˈˌːˑʰʲ.'\u0303\u0329\u032f\u0361 ",
  );
  fc.assert(
    fc.property(fc.array(symbol, { minLength: 1, maxLength: 20 }), (symbols) => {
      const ipa = `/${symbols.join("")}/`;
      fc.pre(isPronunciation(ipa));
      expect(respellIpa(ipa) ?? "written").toMatch(/^[a-z]+(?: [a-z]+)*$/);
    }),
    { numRuns: 2_000, seed: 4 },
  );
});
