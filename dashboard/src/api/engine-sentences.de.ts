/** What the service says about engines, language models and the vendors behind them, in German. */
export const ENGINE_SENTENCES: Readonly<Record<string, string>> = {
  "Runs on this installation and needs no key and no other service. A language model is optional.":
    "Läuft auf dieser Installation. Sie braucht keinen Schlüssel und keinen anderen Dienst. Ein Sprachmodell steht Ihnen frei.",
  "Another engine is being tried, or engines were tried too often in the last minute. Vendors charge for it; wait a moment.":
    "Eine andere Engine wird gerade getestet, oder in der letzten Minute wurde zu oft getestet. Anbieter berechnen das. Warten Sie einen Augenblick.",
  "The flow has no conversation node.": "Der Ablauf hat keinen Gesprächsbaustein.",
  "The flow has no start.": "Der Ablauf hat keinen Start.",
};

/** Names of vendors stay as they are. */
function vendors(text: string): string {
  return text.replaceAll("this machine", "diese Maschine").replaceAll("(then ", "(danach ");
}

function settings(text: string): string {
  return text.replaceAll(" and ", " und ").replaceAll(" or ", " oder ");
}

/** Sentences about engines follow each other: each of them in German, where there is one. */
function eachSentence(text: string): string {
  const [, first, rest] = /^(.+?[.:]) (?=[A-Z])(.+)$/s.exec(text) ?? [];
  const whole = engineInGerman(text);
  if (whole !== null || first === undefined || rest === undefined) return whole ?? text;
  return `${engineInGerman(first) ?? first} ${eachSentence(rest)}`;
}

function engineInGerman(sentence: string): string | null {
  if (Object.hasOwn(ENGINE_SENTENCES, sentence)) return ENGINE_SENTENCES[sentence] ?? null;
  for (const [pattern, write] of ENGINE_PATTERNS) {
    const match = pattern.exec(sentence);
    if (match) return write(...match.slice(1));
  }
  return null;
}

export const ENGINE_PATTERNS: readonly (readonly [RegExp, (...values: string[]) => string])[] = [
  [
    /^There is no engine named "([^"]+)"\.(?: The engines are (.+)\.)?$/,
    (name, others) =>
      `Es gibt keine Engine mit dem Namen „${name}“.${others === undefined ? "" : ` Die Engines sind ${others}.`}`,
  ],
  [
    /^The engine "([^"]+)" cannot be used here\. (.+)$/,
    (name, missing) => `Die Engine „${name}“ kann hier nicht verwendet werden. ${eachSentence(missing)}`,
  ],
  [
    /^The agent needs a language model\. (.+)$/,
    (missing) => `Der Agent braucht ein Sprachmodell. ${eachSentence(missing)}`,
  ],
  [
    /^The engine "([^"]+)" does not speak (.+?), the language of the agent\.(?: (.+))?$/,
    (name, language, advice) =>
      `Die Engine „${name}“ spricht die Sprache des Agenten nicht (${language}).${advice === undefined ? "" : ` ${eachSentence(advice)}`}`,
  ],
  [
    /^Local recognition knows only English, although the local voices speak (.+?): an engine with another recognizer, such as "([^"]+)", can use them\.(?: (.+))?$/,
    (language, example, advice) =>
      `Die Erkennung auf dieser Maschine versteht nur Englisch, auch wenn ihre Stimmen die Sprache sprechen (${language}). Eine Engine mit anderer Erkennung wie „${example}“ kann sie verwenden.${advice === undefined ? "" : ` ${eachSentence(advice)}`}`,
  ],
  [
    /^No engine that is set up here does; an operator connects a speech vendor under Operator > Providers\.$/,
    () =>
      "Keine Engine, die hier eingerichtet ist, kann das. Ein Betreiber verbindet unter Betreiber > Anbieter einen Sprachanbieter.",
  ],
  [/^These do: (.+)\.$/, (engines) => `Diese können es: ${engines}.`],
  [
    /^The engine "([^"]+)" conducts agents that are one conversation\. (.+)$/,
    (name, why) =>
      `Die Engine „${name}“ führt nur Agenten, die aus einem einzigen Gespräch bestehen. ${eachSentence(why)}`,
  ],
  [
    /^The flow has more than one conversation: (\S+) and (\S+)\.$/,
    (one, two) => `Der Ablauf hat mehr als ein Gespräch: ${one} und ${two}.`,
  ],
  [/^The flow asks a question of its own in (\S+)\.$/, (node) => `Der Ablauf stellt in ${node} eine eigene Frage.`],
  [
    /^The branch (\S+) needs a language model to decide\.$/,
    (node) => `Die Verzweigung ${node} braucht ein Sprachmodell.`,
  ],
  [
    /^The flow has the node (\S+), which such an engine cannot conduct\.$/,
    (node) => `Der Ablauf hat den Baustein ${node}, den eine solche Engine nicht ausführen kann.`,
  ],
  [/^The start does not lead to the conversation (\S+)\.$/, (node) => `Der Start führt nicht zum Gespräch ${node}.`],
  [
    /^The node (\S+) comes before the conversation (\S+)\.$/,
    (node, conversation) => `Der Baustein ${node} kommt vor dem Gespräch ${conversation}.`,
  ],
  [
    /^No language model is set\. The operator adds a key in the dashboard under Operator > Providers, or sets one of (.+)\.$/,
    (ways) =>
      `Es ist kein Sprachmodell eingerichtet. Der Betreiber trägt im Dashboard unter Betreiber > Anbieter einen Schlüssel ein oder setzt eine dieser Einstellungen: ${settings(ways)}.`,
  ],
  [
    /^Set (.+), or connect (.+) in the dashboard under Operator > Providers\.$/,
    (unset, vendor) =>
      `Setzen Sie ${settings(unset)}, oder verbinden Sie ${vendor} im Dashboard unter Betreiber > Anbieter.`,
  ],
  [
    /^Set (.+), or add a key in the dashboard under Operator > Providers\.$/,
    (titles) =>
      `Setzen Sie ${settings(titles)}, oder tragen Sie im Dashboard unter Betreiber > Anbieter einen Schlüssel ein.`,
  ],
  [
    /^Install (\S+) in the folder that (\S+) names: (.+)\.$/,
    (what, setting, command) => `Installieren Sie ${what} in dem Ordner, den ${setting} nennt: ${command}.`,
  ],
  [
    /^(.+) hears, thinks and speaks\. It conducts agents that are one conversation\.$/,
    (vendor) =>
      `${vendors(vendor)} hört, denkt und spricht. Sie führt nur Agenten, die aus einem einzigen Gespräch bestehen.`,
  ],
  [
    /^(.+?) recognizes speech(?:, (.+) thinks)?, (.+) speaks\.$/,
    (ears, brain, voice) =>
      `Erkennung: ${vendors(ears)}.${brain === undefined ? "" : ` Sprachmodell: ${vendors(brain)}.`} Stimme: ${vendors(voice)}.`,
  ],
  [
    /^While the model of the engine "([^"]+)" is silent or being replaced, callees hear nothing: no other voice speaks (.+)\. An operator names one for it as "synthesis" of an engine of your own\.$/,
    (name, language) =>
      `Solange das Modell der Engine „${name}“ schweigt oder ersetzt wird, hört die angerufene Person nichts: Keine andere Stimme spricht die Sprache (${language}). Ein Betreiber nennt in einer eigenen Engine unter „synthesis“ eine Stimme dafür.`,
  ],
  [
    /^While the model of the engine "([^"]+)" is silent or being replaced, callees hear nothing: there are no standard words in (.+)\. Say how the agent asks for a moment in its settings\.$/,
    (name, language) =>
      `Solange das Modell der Engine „${name}“ schweigt oder ersetzt wird, hört die angerufene Person nichts: In dieser Sprache gibt es keine Standardsätze (${language}). Legen Sie in den Einstellungen fest, wie der Agent um einen Moment bittet.`,
  ],
  [
    /^(.+) is set already\. Change it, or remove it first\.$/,
    (vendor) => `${vendor} ist schon eingerichtet. Ändern Sie die Angaben, oder entfernen Sie sie zuerst.`,
  ],
  [
    /^(.+) is set in the environment of the service only, by (.+)\.$/,
    (vendor, variable) => `${vendor} lässt sich nur in der Umgebung des Dienstes einrichten, mit ${variable}.`,
  ],
  [
    /^(.+) is set in the environment of the service, which wins \((.+)\)\. Change it there, and start again\.$/,
    (vendor, variables) =>
      `${vendor} ist in der Umgebung des Dienstes eingerichtet, die Vorrang hat (${variables}). Ändern Sie es dort, und starten Sie neu.`,
  ],
];
