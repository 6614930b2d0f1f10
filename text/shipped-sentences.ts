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
  | "doIt"
  | "doItAnyway"
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
    doIt: "Soll ich das tun?",
    doItAnyway: "Soll ich es trotzdem tun?",
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
    doIt: "¿Lo hago?",
    doItAnyway: "¿Lo hago de todos modos?",
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
    doIt: "Dois-je le faire ?",
    doItAnyway: "Dois-je le faire quand même ?",
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
    doIt: "Devo farlo?",
    doItAnyway: "Devo farlo lo stesso?",
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
    doIt: "Zal ik het doen?",
    doItAnyway: "Zal ik het toch doen?",
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
    doIt: "Faço isso?",
    doItAnyway: "Faço isso mesmo assim?",
  },
};
