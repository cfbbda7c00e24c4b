import type { SignInText } from "./text.tsx";

export const german: SignInText = {
  // claim-page.tsx
  joinTheAccount: "Dem Konto beitreten",
  claimYourAccount: "Konto übernehmen",
  joinLead: "Sie wurden eingeladen. Wählen Sie das Passwort, mit dem Sie sich künftig anmelden.",
  claimLead: "Wählen Sie, womit Sie sich künftig anmelden.",
  signInAs: (email) => <>Sie melden sich künftig als {email} an.</>,
  signInInstead: "Stattdessen anmelden",
  askForInvitation: "Bitten Sie einen Inhaber des Kontos um eine neue Einladung.",
  askForClaimLink:
    "Wenn Sie dieses Konto schon übernommen haben, melden Sie sich an. Sonst bitten Sie den Betreiber dieser Installation um einen neuen Link.",

  // open-link.tsx
  linkIncomplete: "Dieser Link ist unvollständig. Kopieren Sie ihn ganz und öffnen Sie ihn noch einmal.",
  linkGone: "Dieser Link wurde schon benutzt oder ist abgelaufen.",
  checkingLink: "Der Link wird geprüft …",

  // credential-fields.tsx
  email: "E-Mail",
  password: "Passwort",
  passwordHint: (charactersMin) =>
    `Mindestens ${charactersMin} Zeichen. Ein paar Wörter merkt man sich leichter als Sonderzeichen.`,
  code: "Code",
  codeHint: "Sechs Ziffern aus Ihrer Authenticator-App oder einer Ihrer Wiederherstellungscodes.",

  // reset-page.tsx
  passwordChanged: "Ihr Passwort wurde geändert. Melden Sie sich damit an.",
  resetLinkSent:
    "Wenn es ein Konto mit dieser E-Mail-Adresse gibt, ist ein Link dorthin unterwegs. Ohne Mailserver kann der Betreiber dieser Installation den Link erstellen.",
  chooseNewPassword: "Neues Passwort wählen",
  forgotPassword: "Passwort vergessen?",
  resetEndsSignIns: "Alle Ihre anderen Anmeldungen werden damit beendet.",
  resetLead: "Fordern Sie einen Link an, mit dem Sie ein neues wählen können.",
  signIn: "Anmelden",
  newPassword: "Neues Passwort",
  setPassword: "Passwort festlegen",
  sendLink: "Link senden",
  requestNewLink: "Neuen Link anfordern",

  // sign-in-again.tsx
  leave: "Verlassen",
  signInAgain: "Erneut anmelden",
  signInEnded:
    "Ihre Anmeldung ist abgelaufen. Auf dieser Seite geht nichts verloren: Melden Sie sich an und machen Sie dort weiter, wo Sie waren.",

  // sign-in-page.tsx
  enterYourCode: "Code eingeben",
  codeLead: "Ihr Konto ist durch Zwei-Faktor-Authentifizierung geschützt.",
  startOver: "Von vorn beginnen",
  welcomeBack: "Willkommen zurück.",
  newHere: (link) => <>Neu hier? {link("Konto erstellen")}</>,
  createAccount: "Konto erstellen",

  // sign-up-page.tsx
  signUpLead: "Mit 10,00 $ Guthaben und Beispielagenten. Es wird keine Karte verlangt.",
  signInOffer: (link) => <>Schon ein Konto? {link("Anmelden")}</>,
  accountName: "Name des Kontos (optional)",
};
