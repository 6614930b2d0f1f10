import { WordFields } from "./word-fields.ts";

/** The ends of a change: a thing is there, as it is to be, or it is gone. */
export type ChangeEnd = "there" | "gone";

/** The words of a language in which people ask for changes and models claim them, with spaces between. `_` joins the words of a phrase. */
export interface ChangeWords {
  /** Forms that tell somebody to make, keep or change something; to take it away. */
  readonly orders: { readonly there: string; readonly gone: string };
  /** Words that make a wish of a sentence, wherever its order stands. */
  readonly requests: string;
  /** Words for a wish of the person's own, with the verb behind them or at the end: "I want to change it". */
  readonly wishes: string;
  /** Words that may stand before an order. */
  readonly lead: string;
  /** Finished forms of the same: "added"; "removed". */
  readonly done: { readonly there: string; readonly gone: string };
  /** Those of both that are said of stored data alone: a text is put together, and not booked. */
  readonly kept: string;
  /** Words behind "is" for a thing that is in its place; that is not. */
  readonly at: { readonly there: string; readonly gone: string };
  /** Forms of "is" and "has", by which a claim is about what holds now. */
  readonly be: string;
  /** The assistant as the one who did it. */
  readonly own: string;
  /** Words by which it is about what was done: "been". */
  readonly did: string;
  /** The person as the one who did it. */
  readonly you: string;
  /** Words that stand for things. */
  readonly things: string;
  /** Places of things. */
  readonly places: string;
  /** Words that begin a condition. */
  readonly condition: string;
  /** Words of a refusal, an offer, another time or what is not stored anyway. */
  readonly other: string;
  /** Words that name nothing. */
  readonly little: string;
  /** Words that join two clauses; empty where they fold to a form of "is". */
  readonly and: string;
}

/** The words of changes, by language: those of the shipped sentences. Accents do not count. */
export const CHANGE_WORDS: Readonly<Record<string, ChangeWords>> = {
  en: {
    orders: {
      there:
        "add put plan schedule save store create set change move mark tick check rename book replace swap update note record log make increase reduce double modify edit adjust correct switch exchange return reschedule postpone",
      gone: "delete remove cancel clear drop erase take cross throw empty discard get_rid_of",
    },
    requests:
      "please pls plz kindly can_you can_u could_you could_u would_you will_you you_can we_can you_may can_be may_be needs_to_be can_go time_to feel_free_to i_want_you_to i_need_you_to like_you_to don_t_forget_to do_not_forget_to dont_forget_to let_s lets let_us",
    wishes:
      "want_to wanna wish_to need_to have_to intend_to plan_to planning_to hope_to hoping_to trying_to looking_to would_like_to d_like_to would_love_to d_love_to",
    lead: "also therefore just now then ok okay so yes hey well",
    done: {
      there:
        "added put placed saved stored planned scheduled booked created updated changed set moved marked ticked checked_off bought purchased ordered renamed replaced swapped switched recorded logged entered adjusted edited increased reduced doubled corrected noted registered rescheduled",
      gone: "removed deleted cancelled canceled cleared dropped erased crossed taken took emptied",
    },
    kept: "saved stored scheduled rescheduled booked marked renamed recorded logged entered registered deleted cancelled canceled checked_off updated",
    at: { there: "on in has includes contains", gone: "off gone empty no_longer" },
    be: "is are am s has includes contains",
    own: "i we",
    did: "been was were",
    you: "you",
    things: "it them him her this that all everything both",
    places: "list lists pantry fridge freezer calendar plan",
    condition: "if once when after before until unless as_soon_as provided in_case",
    other:
      "earlier previously already yesterday ago last would should could shall will can may might not never nothing no t cannot still draft drafts option options step steps plan turn need to_be",
    little:
      "a an the of to on in for from with at by as and or your my our their his her its i we you it them this that now just also all both me so up out off new too those these like please is are s has been was were ve have sure okay ok done",
    and: "and",
  },
  de: {
    orders: {
      there:
        "fuge fug setze setz plane plan speichere speicher erstelle andere ander verschiebe markiere nenne buche ersetze trage schreib schreibe leg lege hinzufugen setzen planen speichern erstellen andern verschieben markieren umbenennen buchen ersetzen eintragen anpassen aktualisieren bearbeiten tauschen austauschen umtauschen wechseln zuruckgeben zuruckschicken",
      gone: "losche losch entferne entfern streiche streich nimm wirf schmeiss storniere sag leere loschen entfernen streichen stornieren leeren absagen",
    },
    requests:
      "bitte geloscht_werden entfernt_werden gestrichen_werden storniert_werden vergiss_nicht du_kannst kannst_du konntest_du konnen_sie konnten_sie wurdest_du ich_mochte_dass",
    wishes:
      "mochte mochten ich_will wir_wollen muss mussen wurde_gern wurde_gerne wurden_gern wurden_gerne",
    lead: "also daher deshalb auch dann jetzt ok okay ja",
    done: {
      there:
        "hinzugefugt gesetzt geplant eingeplant gespeichert erstellt angelegt geandert aktualisiert verschoben markiert umbenannt gebucht ersetzt eingetragen notiert gekauft abgehakt gelegt geschrieben aufgenommen vermerkt verbucht registriert",
      gone: "geloscht entfernt gestrichen storniert abgesagt geleert",
    },
    kept: "gespeichert gebucht markiert umbenannt eingetragen vermerkt verbucht registriert abgehakt geloscht storniert abgesagt aktualisiert",
    at: { there: "auf in im enthalt", gone: "weg leer nicht_mehr" },
    be: "ist sind bin steht stehen hat enthalt",
    own: "ich wir",
    did: "habe haben wurde wurden worden",
    you: "du ihr sie",
    things: "es ihn das alles alle beide",
    places: "liste einkaufsliste vorrat kuhlschrank kalender plan essensplan",
    condition: "wenn falls sofern sobald nachdem bevor bis es_sei_denn",
    other:
      "schon bereits gestern vorhin noch konnte konnten kann konnen soll sollen sollte wurde_ich werde wird nicht nie nichts kein keine keinen entwurf entwurfe schritt schritte muss",
    little:
      "der die das den dem des ein eine einen einem zu zur zum auf in im an am fur von vom mit und oder dein deine deinen deiner deinem ihr ihre ihren ihrer mein meine meinen meiner es ich wir du sie auch dazu diese diesen jetzt nun ist sind habe haben wurde wurden hat",
    and: "und",
  },
  es: {
    orders: {
      there:
        "anade agrega pon planifica programa guarda crea cambia mueve marca renombra reserva reemplaza sustituye actualiza anota anadir agregar poner planificar guardar crear cambiar mover marcar reservar modificar actualizar reemplazar sustituir devolver",
      gone: "borra elimina quita saca cancela anula vacia tacha borrar eliminar quitar cancelar anular vaciar",
    },
    requests: "por_favor porfa no_olvides no_te_olvides_de puedes podrias puede podria quiero_que",
    wishes: "quiero queremos quisiera gustaria deseo necesito tengo_que pienso",
    lead: "asi_que entonces tambien luego ahora ok vale si",
    done: {
      there:
        "anadido anadida anadidos anadidas agregado agregada agregados agregadas anadi agregue puesto puesta planificado planificada programado programada programe guardado guardada guarde creado creada cree cambiado cambiada cambiados cambiadas cambie movido movida movi marcado marcada marque reservado reservada actualizado actualizada actualice anotado anotada comprado comprada registrado registrada registre",
      gone: "borrado borrada borrados borradas borre eliminado eliminada eliminados eliminadas elimine quitado quitada quite cancelado cancelada cancele anulado anulada anule vaciado vaciada tachado tachada",
    },
    kept: "guardado guardada guarde reservado reservada marcado marcada marque registrado registrada registre borrado borrada borre eliminado eliminada elimine cancelado cancelada cancele anulado anulada anule actualizado actualizada actualice",
    at: { there: "en tiene contiene", gone: "fuera vacia vacio ya_no" },
    be: "es son esta estan tiene contiene queda",
    own: "he hemos",
    did: "ha han sido fue fueron",
    you: "tu usted has",
    things: "lo la los las todo todos todas ambos",
    places: "lista despensa nevera calendario plan",
    condition: "si cuando despues antes hasta a_menos_que",
    other:
      "ya ayer ultimo ultima puedo pude podido puede debo deberia voy no nunca nada ningun ninguna aun todavia borrador borradores paso pasos sin",
    little:
      "el la los las un una unos unas de del a al en para por con y o tu tus su sus mi mis tambien estos estas esos esas ahora lo he ha han es son esta estan ha sido",
    and: "y",
  },
  fr: {
    orders: {
      there:
        "ajoute ajoutez mets mettez planifie planifiez prevois enregistre enregistrez cree creez change changez deplace deplacez marque marquez coche renomme reserve remplace note ajouter mettre planifier enregistrer creer changer deplacer marquer reserver modifier remplacer echanger retourner renvoyer",
      gone: "supprime supprimez enleve enlevez retire retirez annule annulez efface effacez vide videz raye supprimer enlever retirer annuler effacer vider",
    },
    requests:
      "s_il_te_plait s_il_vous_plait stp svp peux_tu pourrais_tu pouvez_vous pourriez_vous tu_peux vous_pouvez on_peut n_oublie_pas_de n_oubliez_pas_de n_oublie_pas_d n_oubliez_pas_d",
    wishes: "veux voulons voudrais voudrions aimerais aimerions souhaite dois besoin_de",
    lead: "donc aussi puis maintenant ok oui alors",
    done: {
      there:
        "ajoute ajoutee ajoutes ajoutees mis mise planifie planifiee planifies prevu prevue programme programmee enregistre enregistree cree creee change changee changes modifie modifiee deplace deplacee marque marquee coche cochee renomme renommee reserve reservee remplace remplacee note notee achete achetee",
      gone: "supprime supprimee supprimes supprimees enleve enlevee enleves retire retiree retires annule annulee annules efface effacee vide videe raye rayee",
    },
    kept: "enregistre enregistree reserve reservee marque marquee coche cochee supprime supprimee supprimes annule annulee annules efface effacee",
    at: { there: "sur dans contient", gone: "vide plus_sur plus_dans" },
    be: "est sont contient figure",
    own: "j je nous ai avons",
    did: "a ont ete",
    you: "tu vous",
    things: "le la les l tout tous toutes deux",
    places: "liste garde_manger frigo calendrier courses planning",
    condition: "si quand apres avant jusqu a_moins des_que",
    other:
      "deja hier dernier derniere peux pu pouvons pourrais dois devrais vais ne n pas jamais rien aucun aucune encore toujours brouillon brouillons etape etapes",
    little:
      "le la les l un une des du de d a au aux en pour par avec sur dans et ou ton ta tes votre vos mon ma mes aussi ces maintenant j je ai est sont ete",
    and: "et",
  },
  it: {
    orders: {
      there:
        "aggiungi metti pianifica programma salva crea cambia sposta segna rinomina prenota sostituisci aggiorna annota aggiungere mettere pianificare salvare creare cambiare spostare segnare prenotare modificare aggiornare sostituire restituire",
      gone: "elimina cancella togli leva rimuovi annulla svuota disdici eliminare cancellare togliere rimuovere annullare svuotare",
    },
    requests:
      "per_favore non_dimenticare_di non_dimenticarti_di puoi potresti puo potrebbe vorrei_che",
    wishes: "voglio vogliamo vorrei vorremmo desidero intendo devo bisogno_di",
    lead: "quindi allora anche poi ora ok si",
    done: {
      there:
        "aggiunto aggiunta aggiunti aggiunte messo messa messi pianificato pianificata programmato programmata salvato salvata creato creata cambiato cambiata modificato modificata spostato spostata spostati segnato segnata rinominato rinominata prenotato prenotata sostituito sostituita aggiornato aggiornata annotato annotata comprato comprata registrato registrata",
      gone: "eliminato eliminata eliminati eliminate cancellato cancellata cancellati tolto tolta tolti rimosso rimossa rimossi annullato annullata svuotato svuotata disdetto disdetta",
    },
    kept: "salvato salvata segnato segnata prenotato prenotata registrato registrata eliminato eliminata cancellato cancellata annullato annullata disdetto disdetta aggiornato aggiornata",
    at: { there: "in nella nel sulla sul contiene", gone: "vuota vuoto non_piu" },
    be: "e sono contiene si_trova",
    own: "ho abbiamo",
    did: "stato stata stati state",
    you: "tu hai",
    things: "lo la li le tutto tutti tutte entrambi",
    places: "lista dispensa frigo calendario piano",
    condition: "se quando dopo prima finche a_meno_che",
    other:
      "gia ieri scorso scorsa posso potuto puo devo dovrei non mai niente nulla nessun nessuna ancora bozza bozze passo passi senza",
    little:
      "il lo la i gli le l un uno una di del della dei delle a al alla ai in nel nella su sul sulla per da dal con e o tuo tua tuoi tue mio mia anche questi queste quelli quelle ora adesso ho sono stato stata",
    and: "",
  },
  nl: {
    orders: {
      there:
        "voeg zet plan sla bewaar maak verander wijzig verplaats markeer vink hernoem boek reserveer vervang noteer toevoegen zetten plannen opslaan maken veranderen wijzigen verplaatsen boeken aanpassen vervangen ruilen omruilen retourneren terugsturen",
      gone: "verwijder wis schrap haal gooi annuleer leeg verwijderen wissen schrappen annuleren legen",
    },
    requests:
      "alsjeblieft graag vergeet_niet kan_weg mag_weg je_kunt kun_je kan_je zou_je wil_je kunt_u wilt_u",
    wishes: "ik_wil we_willen wij_willen zou_graag moet",
    lead: "dus ook dan nu ok oke ja",
    done: {
      there:
        "toegevoegd gezet gepland ingepland opgeslagen bewaard aangemaakt gemaakt veranderd gewijzigd aangepast bijgewerkt verplaatst gemarkeerd afgevinkt hernoemd geboekt gereserveerd vervangen genoteerd gekocht geregistreerd",
      gone: "verwijderd gewist geschrapt gehaald geannuleerd geleegd afgezegd",
    },
    kept: "opgeslagen bewaard geboekt gereserveerd gemarkeerd afgevinkt hernoemd geregistreerd verwijderd gewist geannuleerd afgezegd bijgewerkt",
    at: { there: "op in bevat", gone: "af weg leeg niet_meer" },
    be: "is zijn staat staan heeft bevat",
    own: "ik we wij",
    did: "heb hebben werd werden",
    you: "je_hebt jij u",
    things: "het ze hem haar dit dat alles alle beide",
    places: "lijst lijstje boodschappenlijst voorraad koelkast agenda plan",
    condition: "als indien tenzij mits wanneer zodra nadat voordat tot",
    other:
      "al gisteren laatst kan kon kunnen konden zal zou moet moeten niet nooit niets geen nog concept concepten stap stappen",
    little:
      "de het een aan op in voor van uit met naar en of je jouw uw mijn ons ook deze die ik we wij het nu is zijn heb hebben staat staan",
    and: "en",
  },
  pt: {
    orders: {
      there:
        "adiciona adicione acrescenta acrescente poe ponha coloca coloque planeia planeja agenda agende guarda guarde salva salve cria crie muda mude altera altere move mova marca marque renomeia reserva reserve substitui atualiza anota adicionar por planear guardar criar mudar alterar mover marcar reservar modificar atualizar substituir trocar devolver",
      gone: "apaga apague elimina elimine remove remova tira tire cancela cancele anula anule desmarca desmarque risca risque limpa limpe esvazia apagar eliminar remover tirar cancelar anular desmarcar limpar",
    },
    requests:
      "por_favor pf pfv nao_te_esquecas_de nao_esquecas_de nao_esqueca_de podes pode poderias poderia quero_que",
    wishes:
      "quero queremos queria gostaria_de desejo preciso preciso_de pretendo tenho_de tenho_que",
    lead: "entao por_isso tambem depois agora ok sim",
    done: {
      there:
        "adicionado adicionada adicionados adicionadas adicionei acrescentado acrescentei posto posta pus colocado colocada coloquei planeado planeada planejado planejada agendado agendada agendei guardado guardada guardei salvo salva salvei criado criada criei mudado mudada mudei alterado alterada alterei movido movida movi marcado marcada marquei reservado reservada reservei substituido substituida atualizado atualizada atualizei anotado anotei comprado comprada registado registrado registei registrei",
      gone: "apagado apagada apagados apagadas apaguei eliminado eliminada eliminei removido removida removi tirado tirada tirei cancelado cancelada cancelei anulado anulada desmarcado desmarcada limpo limpa limpei esvaziado esvaziada",
    },
    kept: "guardado guardada guardei salvo salva salvei agendado agendada agendei marcado marcada marquei reservado reservada reservei registado registrado registei registrei apagado apagada apaguei eliminado eliminada eliminei cancelado cancelada cancelei anulado anulada atualizado atualizada atualizei",
    at: { there: "na no nas nos em tem contem", gone: "fora vazia vazio ja_nao" },
    be: "e sao esta estao tem contem",
    own: "eu nos",
    did: "foi foram sido ficou",
    you: "tu voce",
    things: "o a os as tudo todos todas ambos",
    places: "lista despensa frigorifico geladeira calendario plano",
    condition: "se caso quando depois antes ate a_menos_que assim_que",
    other:
      "ja ontem ultimo ultima posso pude consegui devo deveria vou nao nunca nada nenhum nenhuma ainda rascunho rascunhos passo passos sem",
    little:
      "o a os as um uma uns umas de do da dos das ao aos em no na nos nas para por com e ou teu tua teus tuas seu sua meu minha tambem estes estas esses essas agora eu foi foram esta estao e sao",
    and: "",
  },
};

const ENDS: readonly ChangeEnd[] = ["gone", "there"];

/** Pronouns that stand at the end of an order as one word with it: "bórralo", "cancellala". */
const CLITICS: Readonly<Record<string, string>> = { es: "lo la los las", it: "lo la li le" };

/** Returns words of a language, each also with the pronouns that may stand at its end. Pure. */
export function withClitics(words: string, language: string): string {
  const endings = ["", ...(CLITICS[language]?.split(" ") ?? [])];
  const each = words.split(" ");
  return endings.flatMap((ending) => each.map((word) => `${word}${ending}`)).join(" ");
}

/** The same, by language: those of an end are of the fields `orders gone`, `orders there` and so on. */
export const CHANGE_FIELDS: ReadonlyMap<string, WordFields> = new Map(
  Object.entries(CHANGE_WORDS).map(([language, { orders, done, at, ...fields }]) => {
    const ends = Object.entries({ orders, done, at }).flatMap(([name, words]) =>
      ENDS.map((end) => [
        `${name} ${end}`,
        name === "orders" ? withClitics(words[end], language) : words[end],
      ]),
    );
    return [language, new WordFields({ ...Object.fromEntries(ends), ...fields })];
  }),
);
