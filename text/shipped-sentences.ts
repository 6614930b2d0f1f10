import type { SentenceId } from "./sentences.ts";

/** The sentences that every turn with a change needs, so that its first turn has them. */
type ShippedId = Extract<
  SentenceId,
  | "receiptCreated"
  | "receiptUpdated"
  | "receiptDeleted"
  | "receiptUndone"
  | "receiptNotDone"
  | "receiptUnknown"
  | "receiptNoted"
  | "receiptWithdrawn"
  | "receiptOutside"
  | "receiptDrafted"
  | "nothingChanged"
  | "nothingElseChanged"
  | "nothingChangedYet"
  | "changesStand"
  | "otherPartMissing"
  | "doIt"
  | "doItAnyway"
  | "decisionApproves"
  | "decisionRejects"
>;

/**
 * The sentences that come with the program, by language.
 *
 * Source: memory.md §3.1.
 */
export const SHIPPED_SENTENCES: Readonly<Record<string, Readonly<Record<ShippedId, string>>>> = {
  de: {
    receiptCreated: "Hinzugefügt: {rows}",
    receiptUpdated: "Geändert: {rows}",
    receiptDeleted: "Gelöscht: {rows}",
    receiptUndone: "Rückgängig gemacht: {rows}",
    receiptNotDone: "Nicht erledigt: {rows}",
    receiptUnknown: "Nicht bekannt: {rows}",
    receiptNoted: "Für alle Gespräche gemerkt: {rows}",
    receiptWithdrawn: "Nicht mehr gemerkt: {rows}",
    receiptOutside: "Inzwischen geändert: {rows}",
    receiptDrafted: "Noch nicht gespeichert: {rows}",
    nothingChanged: "Es wurde nichts geändert.",
    nothingElseChanged: "Sonst wurde nichts geändert.",
    nothingChangedYet: "Es wurde noch nichts geändert.",
    changesStand:
      "Die Änderungen oben sind gemacht; du musst sie nicht noch einmal schicken. Mehr war mir gerade nicht möglich.",
    otherPartMissing:
      "Um den Teil deiner Nachricht, der nicht den Plan betrifft, konnte ich mich nicht kümmern; bitte schick nur diesen Teil noch einmal.",
    doIt: "Soll ich das tun?",
    doItAnyway: "Soll ich es trotzdem tun?",
    decisionApproves: "Ja.",
    decisionRejects: "Nein.",
  },
  es: {
    receiptCreated: "Añadido: {rows}",
    receiptUpdated: "Cambiado: {rows}",
    receiptDeleted: "Eliminado: {rows}",
    receiptUndone: "Deshecho: {rows}",
    receiptNotDone: "No hecho: {rows}",
    receiptUnknown: "Desconocido: {rows}",
    receiptNoted: "Anotado para todas las conversaciones: {rows}",
    receiptWithdrawn: "Ya no anotado: {rows}",
    receiptOutside: "Cambiado entretanto: {rows}",
    receiptDrafted: "Aún sin guardar: {rows}",
    nothingChanged: "No se ha cambiado nada.",
    nothingElseChanged: "No se ha cambiado nada más.",
    nothingChangedYet: "Todavía no se ha cambiado nada.",
    changesStand:
      "Los cambios de arriba están hechos; no hace falta que los envíes otra vez. Por ahora no pude hacer más.",
    otherPartMissing:
      "No pude atender la parte de tu mensaje que no trata del plan; por favor, envía otra vez solo esa parte.",
    doIt: "¿Lo hago?",
    doItAnyway: "¿Lo hago de todos modos?",
    decisionApproves: "Sí.",
    decisionRejects: "No.",
  },
  fr: {
    receiptCreated: "Ajouté : {rows}",
    receiptUpdated: "Modifié : {rows}",
    receiptDeleted: "Supprimé : {rows}",
    receiptUndone: "Annulé : {rows}",
    receiptNotDone: "Pas fait : {rows}",
    receiptUnknown: "Inconnu : {rows}",
    receiptNoted: "Noté pour toutes les conversations : {rows}",
    receiptWithdrawn: "N’est plus noté : {rows}",
    receiptOutside: "Modifié entre-temps : {rows}",
    receiptDrafted: "Pas encore enregistré : {rows}",
    nothingChanged: "Rien n’a été modifié.",
    nothingElseChanged: "Rien d’autre n’a été modifié.",
    nothingChangedYet: "Rien n’a encore été modifié.",
    changesStand:
      "Les changements ci-dessus sont faits ; inutile de les renvoyer. Je n’ai pas pu faire plus pour l’instant.",
    otherPartMissing:
      "Je n’ai pas pu traiter la partie de votre message qui ne concerne pas le plan ; veuillez renvoyer cette partie seule.",
    doIt: "Dois-je le faire ?",
    doItAnyway: "Dois-je le faire quand même ?",
    decisionApproves: "Oui.",
    decisionRejects: "Non.",
  },
  it: {
    receiptCreated: "Aggiunto: {rows}",
    receiptUpdated: "Modificato: {rows}",
    receiptDeleted: "Eliminato: {rows}",
    receiptUndone: "Annullato: {rows}",
    receiptNotDone: "Non fatto: {rows}",
    receiptUnknown: "Non conosciuto: {rows}",
    receiptNoted: "Annotato per tutte le conversazioni: {rows}",
    receiptWithdrawn: "Non più annotato: {rows}",
    receiptOutside: "Modificato nel frattempo: {rows}",
    receiptDrafted: "Non ancora salvato: {rows}",
    nothingChanged: "Non è stato modificato nulla.",
    nothingElseChanged: "Non è stato modificato nient’altro.",
    nothingChangedYet: "Non è stato ancora modificato nulla.",
    changesStand:
      "Le modifiche qui sopra sono fatte; non serve inviarle di nuovo. Per ora non ho potuto fare altro.",
    otherPartMissing:
      "Non ho potuto occuparmi della parte del messaggio che non riguarda il piano; invia di nuovo solo quella parte.",
    doIt: "Devo farlo?",
    doItAnyway: "Devo farlo lo stesso?",
    decisionApproves: "Sì.",
    decisionRejects: "No.",
  },
  nl: {
    receiptCreated: "Toegevoegd: {rows}",
    receiptUpdated: "Gewijzigd: {rows}",
    receiptDeleted: "Verwijderd: {rows}",
    receiptUndone: "Ongedaan gemaakt: {rows}",
    receiptNotDone: "Niet gedaan: {rows}",
    receiptUnknown: "Niet bekend: {rows}",
    receiptNoted: "Genoteerd voor alle gesprekken: {rows}",
    receiptWithdrawn: "Niet meer genoteerd: {rows}",
    receiptOutside: "Intussen gewijzigd: {rows}",
    receiptDrafted: "Nog niet opgeslagen: {rows}",
    nothingChanged: "Er is niets gewijzigd.",
    nothingElseChanged: "Verder is er niets gewijzigd.",
    nothingChangedYet: "Er is nog niets gewijzigd.",
    changesStand:
      "De wijzigingen hierboven zijn gemaakt; je hoeft ze niet nog eens te sturen. Meer kon ik nu niet doen.",
    otherPartMissing:
      "Het deel van je bericht dat niet over het plan gaat, kon ik niet behandelen; stuur alleen dat deel nog eens.",
    doIt: "Zal ik het doen?",
    doItAnyway: "Zal ik het toch doen?",
    decisionApproves: "Ja.",
    decisionRejects: "Nee.",
  },
  pt: {
    receiptCreated: "Adicionado: {rows}",
    receiptUpdated: "Alterado: {rows}",
    receiptDeleted: "Eliminado: {rows}",
    receiptUndone: "Desfeito: {rows}",
    receiptNotDone: "Não feito: {rows}",
    receiptUnknown: "Desconhecido: {rows}",
    receiptNoted: "Anotado para todas as conversas: {rows}",
    receiptWithdrawn: "Já não está anotado: {rows}",
    receiptOutside: "Alterado entretanto: {rows}",
    receiptDrafted: "Ainda não guardado: {rows}",
    nothingChanged: "Nada foi alterado.",
    nothingElseChanged: "Nada mais foi alterado.",
    nothingChangedYet: "Ainda nada foi alterado.",
    changesStand:
      "As alterações acima estão feitas; não é preciso enviá-las de novo. Por agora não pude fazer mais.",
    otherPartMissing:
      "Não pude tratar da parte da mensagem que não é sobre o plano; envie de novo apenas essa parte.",
    doIt: "Faço isso?",
    doItAnyway: "Faço isso mesmo assim?",
    decisionApproves: "Sim.",
    decisionRejects: "Não.",
  },
};
