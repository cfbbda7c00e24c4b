import { describe, expect, test } from "vitest";
import { toSpeech } from "../to-speech.ts";

describe("Spanish", () => {
  test.each([
    ["Son 125 euros.", "Son ciento veinticinco euros."],
    ["Son 12,50 €.", "Son doce euros con cincuenta."],
    ["Debe 1.250 €.", "Debe mil doscientos cincuenta euros."],
    ["1 €", "un euro"],
    ["21 días y 21 personas", "veintiún días y veintiuna personas"],
    ["El 05/03/2026 a las 15:30.", "El cinco de marzo de dos mil veintiséis a las quince treinta."],
    ["a las 9:30", "a las nueve y media"],
    ["a la 1:00", "a la una"],
    ["El Sr. García vive en la Avda. América, nº 7.", "El señor García vive en la avenida América, número siete."],
    ["Llame al +34 612 345 678.", "Llame al más tres cuatro, seis uno dos, tres cuatro cinco, seis siete ocho."],
    ["info@ejemplo.es", "info arroba ejemplo punto es"],
    ["un 3,5 %", "un tres coma cinco por ciento"],
    ["el 1º y la 2ª", "el primero y la segunda"],
    ["código AB12", "código AB uno dos"],
    ["2026-12-24", "veinticuatro de diciembre de dos mil veintiséis"],
    ["100 km", "cien kilómetros"],
    ["1.000.001", "un millón uno"],
    ["Pulse 1 para hablar, o 21 en otro caso.", "Pulse uno para hablar, o veintiuno en otro caso."],
    ["1 llamada", "una llamada"],
  ])("%s", (written, spoken) => {
    expect(toSpeech(written, "es-ES")).toBe(spoken);
  });
});

describe("French", () => {
  test.each([
    ["71, 80, 81, 91 et 200", "soixante et onze, quatre-vingts, quatre-vingt-un, quatre-vingt-onze et deux cents"],
    ["Cela fait 12,50 €.", "Cela fait douze euros cinquante."],
    ["1 250 €", "mille deux cent cinquante euros"],
    ["à 15h30", "à quinze heures trente"],
    ["à 21:00", "à vingt et une heures"],
    ["le 1er mars, le 01/03/2026", "le premier mars, le premier mars deux mille vingt-six"],
    ["M. Martin et Mme Dupont", "monsieur Martin et madame Dupont"],
    ["01 42 68 53 00", "zéro un, quarante-deux, soixante-huit, cinquante-trois, zéro zéro"],
    ["la 2e fois", "la deuxième fois"],
    ["80 000", "quatre-vingt mille"],
    ["-5 °C", "moins cinq degrés"],
  ])("%s", (written, spoken) => {
    expect(toSpeech(written, "fr-FR")).toBe(spoken);
  });
});

describe("Italian", () => {
  test.each([
    ["21, 28, 33", "ventuno, ventotto, trentatré"],
    ["Il 01/09/2026 alle 15:30", "Il primo settembre duemila ventisei alle quindici e trenta"],
    ["12,50 €", "dodici euro e cinquanta"],
    ["Il Sig. Rossi e la Dott.ssa Bianchi", "Il signor Rossi e la dottoressa Bianchi"],
    ["1 ora", "una ora"],
    ["Prema 1 per parlare.", "Prema uno per parlare."],
    ["mario@esempio.it", "mario chiocciola esempio punto it"],
  ])("%s", (written, spoken) => {
    expect(toSpeech(written, "it-IT")).toBe(spoken);
  });
});

describe("Portuguese", () => {
  test.each([
    ["R$ 125,90", "cento e vinte e cinco reais e noventa centavos"],
    ["1.100 e 2.026", "mil e cem e dois mil e vinte e seis"],
    ["às 22:30", "às vinte e duas e trinta"],
    ["2 horas, 2 dias", "duas horas, dois dias"],
    ["Prima 1 para falar ou 2 para sair.", "Prima um para falar ou dois para sair."],
    ["A Sra. Silva, 01/03/2026", "A senhora Silva, primeiro de março de dois mil e vinte e seis"],
  ])("%s", (written, spoken) => {
    expect(toSpeech(written, "pt-BR")).toBe(spoken);
  });
});

test("saying it twice changes nothing", () => {
  const once = toSpeech("El 05/03/2026 a las 15:30, 12,50 €.", "es");
  expect(toSpeech(once, "es")).toBe(once);
});

test("languages without rules are left to the voice", () => {
  expect(toSpeech("12,50 €", "de-DE")).toBe("12,50 €");
});
