import type { ErrorCode, ErrorDetail } from "@parley/contract/errors";
import type { GateRefusal } from "@parley/contract/gate";
import { locale } from "../languages/language.ts";
import { fieldMessageInGerman, ruleInGerman } from "./field-sentences.de.ts";
import { findingInGerman, noteInGerman } from "./observation-sentences.de.ts";
import { sentenceInGerman } from "./sentences.de.ts";
import type { ApiText } from "./text.ts";

export const german: ApiText = {
  // api-error.ts
  unreachable: "Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.",
  tryAgainIn: (message, seconds) => `${message} Versuchen Sie es in ${inSecondsOrMinutes(seconds)} erneut.`,
  pageFault: "Auf dieser Seite ist ein Fehler aufgetreten. Laden Sie sie neu und versuchen Sie es noch einmal.",
  wordError: ({ code, message, details }) => {
    if (!isKnown(code)) return message;
    if (code === "validation_failed") return wordFields(message, details);
    const refusal = details?.find((detail) => isRefusal(detail.code))?.code;
    if (refusal !== undefined && isRefusal(refusal)) return GATE_REFUSALS[refusal];
    if (!TELL_MORE.has(code)) return SENTENCES[code];
    return sentenceInGerman(message) ?? `${SENTENCES[code]} Meldung des Dienstes: ${message}`;
  },
  wordFieldError,
  wordSentence: (sentence) => sentenceInGerman(sentence) ?? sentence,
  wordFinding: findingInGerman,
  wordNote: (text) => noteInGerman(text) ?? sentenceInGerman(text) ?? text,
};

function inSecondsOrMinutes(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "einer Sekunde" : `${seconds} Sekunden`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "einer Minute" : `${minutes.toLocaleString(locale)} Minuten`;
}

const SENTENCES: Readonly<Record<ErrorCode, string>> = {
  malformed_json: "Die Anfrage enthält kein gültiges JSON.",
  bad_request: "Die Anfrage ist ungültig.",
  missing_api_key: "Sie sind nicht mehr angemeldet.",
  invalid_api_key: "Der API-Schlüssel ist ungültig, widerrufen oder abgelaufen.",
  not_signed_in: "Die Anmeldung ist fehlgeschlagen oder abgelaufen. Prüfen Sie E-Mail-Adresse, Passwort und Code.",
  insufficient_credit: "Das Guthaben reicht nicht für die ersten zwei Minuten des Anrufs.",
  spend_limit_reached: "Ein Ausgabenlimit ist erreicht.",
  insufficient_scope: "Dem Schlüssel fehlt eine Berechtigung.",
  not_allowed: "Dazu sind Sie nicht berechtigt.",
  destination_not_allowed: "Diese Nummer darf nicht angerufen werden.",
  ip_not_allowed: "Der Schlüssel darf von dieser Adresse aus nicht verwendet werden.",
  sign_up_closed: "Hier können keine neuen Konten erstellt werden. Bitten Sie um eine Einladung.",
  not_signed: "Der Rückruf ist nicht vom Anbieter des Trunks signiert.",
  cross_site: "Die Anfrage kam von einer anderen Website und wurde abgelehnt.",
  not_found: "Nicht gefunden.",
  agent_not_found: "Diesen Agenten gibt es in Ihrem Konto nicht.",
  call_not_found: "Diesen Anruf gibt es in dieser Betriebsart nicht.",
  method_not_allowed: "Das ist an dieser Stelle nicht möglich.",
  request_timeout: "Die Anfrage kam nicht rechtzeitig an. Es wurde nichts geändert.",
  idempotency_in_progress: "Dieselbe Anfrage wird noch bearbeitet.",
  invalid_state: "Das ist im Augenblick nicht möglich.",
  agent_not_published: "Der Agent ist noch nicht veröffentlicht.",
  engine_unavailable: "Die Engine ist nicht eingerichtet.",
  draft_conflict: "Der Entwurf wurde inzwischen geändert.",
  payload_too_large: "Die Anfrage ist zu groß.",
  unsupported_media_type: "Dieses Format wird nicht angenommen.",
  range_not_satisfiable: "Diese Stelle der Aufnahme gibt es nicht.",
  validation_failed: "Eine Angabe ist ungültig:",
  engine_unknown: "Diese Engine gibt es nicht.",
  idempotency_mismatch: "Diese Anfrage wurde schon mit anderem Inhalt gesendet.",
  rate_limited: "Zu viele Anfragen.",
  queue_full: "Die Warteschlange des Kontos ist voll.",
  too_many_attempts: "Zu viele Versuche. Warten Sie eine Weile.",
  internal: "Bei uns ist ein Fehler aufgetreten.",
  unavailable: "Der Dienst ist gerade nicht bereit. Es wurde nichts geändert.",
};

/** Why a number may not be called. */
const GATE_REFUSALS: Readonly<Record<GateRefusal, string>> = {
  emergency_number: "Diese Nummer erreicht einen Notdienst und darf nicht angerufen werden.",
  invalid_number: "Diese Nummer gibt es im Nummernplan ihres Landes nicht.",
  premium_rate: "Diese Nummer ist eine Premium-Rufnummer und darf nicht angerufen werden.",
  shared_cost: "Diese Nummer ist eine Nummer mit geteilten Kosten und darf nicht angerufen werden.",
  satellite: "Diese Nummer gehört zu einem Satelliten- oder internationalen Netz und darf nicht angerufen werden.",
  personal_number: "Diese Nummer ist eine persönliche Rufnummer, die wie eine Premium-Rufnummer berechnet wird.",
  type_not_allowed: "Nummern dieser Art werden nicht angerufen.",
  country_not_allowed: "Das Konto darf dieses Land nicht anrufen.",
  no_rate: "Für Anrufe an diese Nummer gibt es keinen Tarif.",
  rate_above_cap: "Anrufe an diese Nummer kosten pro Minute mehr als erlaubt.",
  suppressed: "Diese Nummer steht auf der Sperrliste des Kontos.",
  number_velocity: "Diese Nummer wurde heute schon so oft angerufen wie erlaubt.",
  range_velocity: "An benachbarte Nummern gingen in dieser Stunde schon so viele Anrufe wie erlaubt.",
  country_velocity: "In dieses Land gingen in dieser Stunde schon so viele Anrufe wie erlaubt.",
  outside_calling_hours: "Am Zielort ist es außerhalb der Anrufzeiten.",
  time_zone_unknown: "Die Zeitzone am Zielort ist nicht bekannt. Die Anrufzeiten können nicht eingehalten werden.",
  hours_may_not_be_ignored: "Die Anrufzeiten dürfen hier nicht übergangen werden.",
  insufficient_credit: "Das Guthaben des Kontos reicht dafür nicht.",
  spend_limit: "Ein Ausgabenlimit ist erreicht.",
};

function isRefusal(code: string): code is GateRefusal {
  return Object.hasOwn(GATE_REFUSALS, code);
}

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(SENTENCES, code);
}

/** Codes that stand for many cases. Only the message, which is in English, says which one it is. */
const TELL_MORE: ReadonlySet<ErrorCode> = new Set([
  "bad_request",
  "spend_limit_reached",
  "insufficient_scope",
  "not_allowed",
  "destination_not_allowed",
  "not_found",
  "method_not_allowed",
  "invalid_state",
  "engine_unavailable",
  "draft_conflict",
  "unsupported_media_type",
  "engine_unknown",
  "rate_limited",
  "unavailable",
]);

const FIELD_SENTENCES: Readonly<Record<string, string>> = {
  taken: "Das ist bereits vergeben.",
  wrong_password: "Das Passwort ist falsch.",
  wrong_code: "Der Code ist falsch oder wurde schon benutzt. Warten Sie auf den nächsten.",
  not_e164: "Geben Sie die Nummer mit Ländervorwahl ein, zum Beispiel +49 30 901820.",
  in_the_past: "Der Zeitpunkt muss in der Zukunft liegen.",
  too_far_ahead: "Der Zeitpunkt darf höchstens 90 Tage entfernt sein.",
  not_before_to: "Der Anfang muss vor dem Ende liegen.",
  no_words: "Geben Sie ein Wort oder eine Nummer ein.",
  unknown_version: "Diese Version des Agenten ist nicht veröffentlicht.",
};

/** By its code, or by what the service says about its value. A message that has no translation stays as it is. */
function wordFieldError({ code, message }: ErrorDetail): string {
  const byCode = isRefusal(code) ? GATE_REFUSALS[code] : FIELD_SENTENCES[code];
  return byCode ?? ruleInGerman(message) ?? sentenceInGerman(message) ?? fieldMessageInGerman(message) ?? message;
}

/** The message of a rejected request is a sentence, or the name of its first wrong field and what is wrong with it. */
function wordFields(message: string, details: readonly ErrorDetail[] = []): string {
  const byCode = details.length === 1 ? FIELD_SENTENCES[details[0]?.code ?? ""] : undefined;
  if (byCode !== undefined) return byCode;
  return sentenceInGerman(message) ?? `${SENTENCES.validation_failed} ${fieldMessageInGerman(message) ?? message}`;
}
