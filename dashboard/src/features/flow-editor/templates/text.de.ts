import type { TemplatesText } from "./text.ts";

/** The templates of the service by their ids. */
const TEMPLATES: Readonly<Record<string, { readonly name: string; readonly description: string }>> = {
  appointment_confirmation: {
    name: "Terminbestätigung",
    description: "Fragt, ob die angerufene Person kommt, lieber an einem anderen Tag kommen oder absagen möchte.",
  },
  delivery_notice: {
    name: "Lieferankündigung",
    description: "Kündigt ein Paket an und fragt, wo es bleiben soll, wenn niemand da ist.",
  },
  payment_reminder: {
    name: "Zahlungserinnerung",
    description: "Erinnert die Kontoinhaberin oder den Kontoinhaber an eine Zahlung und notiert, wann sie kommt.",
  },
  receptionist: {
    name: "Empfang",
    description: "Spricht frei: beantwortet Fragen anhand vorgegebener Fakten und nimmt eine Nachricht entgegen.",
  },
  satisfaction_survey: {
    name: "Zufriedenheitsumfrage",
    description: "Fragt nach einer Bewertung von 1 bis 5, per Stimme oder Taste, einem Kommentar und einer Empfehlung.",
  },
  visit_follow_up: {
    name: "Nachfrage nach einem Besuch",
    description: "Fragt nach einem Besuch, wie es der Person geht und ob sie Fragen hat.",
  },
};

export const german: TemplatesText = {
  // builder-dialogs.tsx
  describeYourAgent: "Agenten beschreiben",
  describeLead: "Ein Sprachmodell schreibt einen ersten Entwurf. Sie können danach alles ändern.",
  noModel: "Es ist kein Sprachmodell eingerichtet. Bitten Sie den Betreiber dieser Installation, eines hinzuzufügen.",
  replacesFlow: "Der Entwurf ersetzt den jetzigen Ablauf. Sie können das rückgängig machen.",
  whatShouldItDo: "Was soll er tun?",
  descriptionExample:
    "Ruf Patienten am Tag vor ihrem Termin an. Frag, ob sie kommen, und biete an, den Termin zu verschieben oder abzusagen.",
  writingDraft: "Der Entwurf wird geschrieben. Das kann eine Minute dauern.",
  writeDraft: "Entwurf schreiben",

  // template-gallery.tsx
  templates: "Vorlagen",
  flowOf: (name) => `Der Ablauf von ${name}`,
  needsModel: "Benötigt ein Sprachmodell",
  scenarios: (count) => `${count} Szenarien`,
  // Templates come from the service, in English.
  nameOf: (templateId, name) => TEMPLATES[templateId]?.name ?? name,
  descriptionOf: (templateId, description) => TEMPLATES[templateId]?.description ?? description,
};
