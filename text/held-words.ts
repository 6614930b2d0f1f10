import { withClitics } from "./change-words.ts";
import { WordFields } from "./word-fields.ts";

/** Words of a language by which a clause is no order to carry out, with spaces between. `_` joins the words of a phrase; apostrophes are left out. */
export interface HeldWords {
  /** Words that deny what is ordered beside them. */
  readonly denies: string;
  /** Words that put off what stands beside them. */
  readonly later: string;
  /** Those that may stand behind the verb: other words there belong to a value, as in "set the note to no nuts". */
  readonly behind: string;
  /** Words with which a denial or a condition is none: "don't forget to", "if possible". */
  readonly affirms: string;
  /** Words at the beginning of an order not to do something; where one of `wants` follows it is none: "don't need it". */
  readonly forbids: string;
  readonly wants: string;
  /** Words for a need, which may be denied of what is to go: "we don't need it". */
  readonly needs: string;
  /** Words that want something as it is. */
  readonly spares: string;
  /** Words for a deletion that is spoken of, and for taking one back. */
  readonly deletions: string;
  /** Words at the beginning of a clause that leave something out of what was said before. */
  readonly excepts: string;
  /** Words that begin a clause of its own: a contrast, a reason, a remark. */
  readonly opens: string;
  /** Words that join two names, or two clauses. */
  readonly joins: string;
  /** Words by which a clause tells what may be, what somebody wants, that nothing is to be done or others do it. */
  readonly narrates: string;
  /** Words by which it tells how things are or will be, or what others say of them. */
  readonly reports: string;
  /** Words by which it tells how things were. */
  readonly past: string;
  /** Subjects by which a clause is a sentence of its own, and no list of names. */
  readonly subjects: string;
}

/** The words of clauses that are no orders, by language: those of the shipped sentences. Accents do not count. */
export const HELD_WORDS: Readonly<Record<string, HeldWords>> = {
  en: {
    denies:
      "not no dont never nothing nobody none neither cannot cant wont doesnt didnt isnt arent wasnt shouldnt mustnt wouldnt couldnt neednt no_need no_way against",
    later: "not_yet",
    behind: "nothing nobody none",
    affirms:
      "enough forget hesitate mind worry fail why longer more anymore any_more if_possible if_you_can if_you_could if_you_please if_you_like if_you_dont_mind if_thats_ok if_thats_okay if_thats_alright before_i_forget when_you_can when_you_get_a_chance when_you_have_time when_possible once_youre once_youve as_soon_as_possible as_soon_as_you_can once_and_for_all after_all check_if see_if confirm_if wondering_if wonder_if know_if tell_me_if sure_if i_would we_would",
    forbids: "dont do_not never",
    wants: "need want have like use know think remember recall see",
    needs: "need needs needed use using",
    spares:
      "never_mind keep keeps stay stays staying leave remain remains spare alone untouched protect ignore disregard forget_it do_nothing nothing_to_do",
    deletions: "undelete restore recover bring deletion removal cancellation reinstate",
    excepts: "except but besides without not never apart_from other_than excluding",
    opens: "so but because since though although who which while whereas however",
    joins: "and or nor",
    narrates:
      "ill wed might maybe perhaps probably possibly going_to gonna would myself ourselves asked wants wanted used_to thanks_for thank_you_for",
    reports: "will itll theyll already said says wrote told been yesterday",
    past: "was were had",
    subjects:
      "im ive id ill weve youre youve hes shes its theyre thats theres he she it they there",
  },
  de: {
    denies: "nicht nie niemals nichts niemand kein keine keinen keinem keiner keinesfalls gegen",
    later: "noch_nicht erst_spater",
    behind: "nicht nie niemals nichts niemand kein keine keinen keinem keiner keinesfalls",
    affirms:
      "genug vergiss vergessen vergesse mehr wenn_moglich falls_moglich wenn_du_kannst wenn_es_geht bevor_ich_es_vergesse so_bald_wie_moglich ich_mochte mochte_ich wir_mochten ich_will will_ich ich_wurde wurde_ich ich_hatte hatte_ich wir_hatten",
    forbids: "",
    wants: "",
    needs: "",
    spares: "bleibt bleiben bleibe behalte behalten behalt lass lasse lassen verschone",
    deletions: "loschung entfernung stornierung wiederherstellen stelle",
    excepts: "ausser nicht ohne bis_auf mit_ausnahme",
    opens: "also daher deshalb aber sondern weil denn da obwohl der_nicht die_nicht",
    joins: "und oder",
    narrates:
      "konnte konnten vielleicht eventuell moglicherweise wahrscheinlich irgendwann selbst selber fragte mochte will wollte werde danke_fur danke_dass vergiss_es ignorier ignoriere nichts_machen nichts_tun",
    reports: "wird schon bereits sagt sagte schrieb meinte worden gestern",
    past: "war waren hatte hatten wurde wurden",
    subjects: "ich er es wir man",
  },
  es: {
    denies: "no nunca jamas nada nadie ningun ninguna tampoco ni contra",
    later: "todavia_no aun_no",
    behind: "nada nadie ningun ninguna",
    affirms:
      "suficiente olvides olvide dudes mas si_es_posible si_puedes antes_de_que_se_me_olvide cuando_puedas me_gustaria nos_gustaria",
    forbids: "",
    wants: "",
    needs: "",
    spares:
      "queda quedan quedarse quede quedate conserva conservar manten mantener deja dejar guarda igual olvidalo ignora toques toque",
    deletions: "eliminacion borrado cancelacion restaura recupera",
    excepts: "excepto salvo menos no sin pero_no aparte_de",
    opens: "asi_que pero sino porque pues aunque que_no quien",
    joins: "y e o u ni",
    narrates:
      "quiza quizas tal_vez talvez puede_que seguramente voy_a vamos_a yo yo_mismo yo_misma pregunto queria querria gustaria gracias_por",
    reports: "sera seran va_a dijo escribio sido ayer",
    past: "era fue fueron estaba habia",
    subjects: "yo ella usted",
  },
  fr: {
    denies: "ne n pas jamais rien personne aucun aucune ni contre",
    later: "pas_encore",
    behind: "pas jamais rien personne aucun aucune",
    affirms:
      "assez oublie oubliez hesite hesitez plus si_possible si_tu_peux si_vous_pouvez avant_que_j_oublie quand_tu_peux des_que_possible des_que_tu_peux des_que_vous_pouvez",
    forbids: "",
    wants: "",
    needs: "",
    spares: "reste restent rester garde gardez garder conserve laisse laissez laisser",
    deletions: "suppression annulation restaure retablis",
    excepts: "sauf hormis excepte pas sans mais_pas a_part",
    opens: "donc mais car parce_que puisque bien_que qui",
    joins: "et ou ni",
    narrates:
      "serait aurait aimerait voudrait peut_etre probablement vais allons moi_meme a_demande merci_pour merci_d_avoir ignore ignorez oublie_ca touche touchez",
    reports: "sera seront deja a_dit a_ecrit a_ete hier",
    past: "etait etaient avait avaient",
    subjects: "il elle on je nous ils elles cest",
  },
  it: {
    denies: "non mai niente nulla nessuno nessun nessuna ne contro",
    later: "non_ancora",
    behind: "mai niente nulla nessuno nessun nessuna",
    affirms:
      "abbastanza dimenticare dimenticarti dimenticate esitare piu se_possibile se_puoi prima_che_mi_dimentichi quando_puoi",
    forbids: "",
    wants: "",
    needs: "",
    spares: "resta restano rimane rimangono tieni tenere mantieni lascia lasciare conserva",
    deletions: "cancellazione eliminazione rimozione ripristina recupera",
    excepts: "tranne eccetto salvo non senza ma_non a_parte",
    opens: "quindi ma perche poiche anche_se che_non",
    joins: "e ed o ne",
    narrates:
      "sarebbe vorrebbe forse magari probabilmente io ha_chiesto grazie_per ignora toccare toccarla toccarlo",
    reports: "sara saranno ha_detto ha_scritto gia stato stata stati state ieri",
    past: "era erano aveva avevano fu",
    subjects: "io lui lei",
  },
  nl: {
    denies: "niet nooit niets niemand geen tegen niks",
    later: "nog_niet",
    behind: "niet nooit niets niemand geen niks",
    affirms:
      "genoeg vergeet vergeten meer als_het_kan als_je_kunt voordat_ik_het_vergeet zo_snel_mogelijk ik_zou we_zouden",
    forbids: "",
    wants: "",
    needs: "",
    spares: "blijf blijft blijven houd hou houden bewaar laat laten",
    deletions: "verwijdering annulering herstel terugzetten",
    excepts: "behalve niet zonder uitgezonderd maar_niet",
    opens: "dus maar want omdat hoewel die_niet",
    joins: "en of",
    narrates:
      "zou zouden misschien wellicht waarschijnlijk zelf vroeg wilde wou bedankt_voor vergeet_het negeer niks_doen niets_doen",
    reports: "zal zullen al zei schreef geworden gisteren",
    past: "was waren had hadden werd werden",
    subjects: "ik hij zij wij we er",
  },
  pt: {
    denies: "nao nunca jamais nada ninguem nenhum nenhuma nem contra",
    later: "ainda_nao",
    behind: "nada ninguem nenhum nenhuma",
    affirms:
      "suficiente esquecas esqueca esquecer hesites mais se_possivel se_puderes se_puder antes_que_me_esqueca quando_puderes eu_queria eu_gostaria",
    forbids: "",
    wants: "",
    needs: "",
    spares: "fica ficam ficar fique mantem mantenha manter conserva deixa deixe deixar guarda",
    deletions: "eliminacao remocao cancelamento restaura recupera",
    excepts: "exceto salvo menos nao sem mas_nao fora",
    opens: "entao mas porque pois embora que_nao",
    joins: "e ou nem",
    narrates:
      "seria talvez quem_sabe provavelmente vou vamos eu_mesmo eu_mesma perguntou pediu queria gostaria obrigado_por obrigada_por esquece esqueca ignora toques",
    reports: "sera serao ja_foi disse escreveu sido ontem",
    past: "era foi foram estava tinha",
    subjects: "eu ele ela voce",
  },
};

/** The same, by language. */
export const HELD_FIELDS: ReadonlyMap<string, WordFields> = new Map(
  Object.entries(HELD_WORDS).map(([language, words]) => [
    language,
    new WordFields({ ...words, spares: withClitics(words.spares, language) }),
  ]),
);
