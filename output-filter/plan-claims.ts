import { endsAsQuestion } from "../text/ends-as-question.ts";
import { foldText } from "../text/fold-words.ts";

/** A clause that says that a plan was changed just now (`deed`), or how a step of it is. */
export interface PlanClaim {
  readonly clause: string;
  readonly kind: "deed" | "done" | "gone";
}

/** Forms of a language in which words join: claims are found by the end of a verb, or by signs. */
interface ClaimForms {
  readonly deed: RegExp;
  readonly done: RegExp;
  readonly gone: RegExp;
  /** Questions, conditions, refusals, offers, other times, and what the person or others did. */
  readonly other: RegExp;
  /** Words for a plan and what belongs to it. */
  readonly ofPlan: RegExp;
  /** Deeds that need no such word where a step is named: studies drop coffee, too. */
  readonly own: RegExp;
}

/** Verbs of changes in Turkish, folded; those of many meanings with the word before them. */
const TURKISH_VERBS =
  "sil|kaldır|tası|guncelle|degistir|isaretle|atla|bol|birlestir|ertele|duzenle|kayde[td]|kısalt|indir|adlandır|yerlestir|yenile|kaydır|uyarla|sadelestir|ilistir|etkinlestir|isle|es gec|iptal e[td]|hale getir|dısı bırak|adım\\S* (?:cıkar|at)|(?:plan|liste)\\S*[dt][ae]n (?:\\S+ ){0,3}(?:cıkar|at)|(?:adım|plan|not|sona|basa|araya)\\S* ekle|(?:adım|plan|tik)\\S* koy|tik at|(?:geri|one|sıraya) (?:al|cek|cevir|getir)|(?:yeniden|tekrar) (?:ac|yaz)|(?:degisikli|duzenleme)\\S* yap";
const CHINESE_VERBS =
  "[删刪剔挪]|移|去除|[去拿扔]掉|略[过過]|停用|放[到在]|排到|恢[复復]|(?:加|增|添|[记記][录錄]).{0,9}(?:步|[计計][划劃]|[备備][注註])|(?:步[骤驟]?|[备備][注註]).{0,3}(?:添?加|[记記][录錄])|[标標][记記为為成]|勾|[对對][调調]|[交互][换換]|更[新改]|修改|[调調][整到至]|[缩縮][短减減]|跳[过過]|改[名为為成]|命名|重[写寫]|拆|分成|[简簡]化|新增|[写寫]入|附在|[启啟]用|推到|[换換][成上了]|替[换換]|打[开開]|撤[销銷回]|推[迟遲]|取消|合[并併]|重新安排|提前";

const FORMS: readonly ClaimForms[] = [
  {
    // The first person of the past, or its passive: what the person did ("sildin") is none.
    deed: new RegExp(
      `(?<!\\S)(?:${TURKISH_VERBS})(?:[dt][ıiu][mk]|[ıiu]?[ln]d[ıiu]|[ıiu]?[ln]m[ıiu]s(?:t[ıiu]r)?)(?!\\S)|(?<!\\S)(?:yer degistirdi|plan\\S*dan cıktı)(?!\\S)`,
      "u",
    ),
    done: /(?<!\S)(?:tamamlandı|bitti)$/u,
    gone: /(?<!\S)(?:artık (?:\S+ )*(?:yok|(?:plan|liste)\S* degil)|yok artık)(?!\S)/u,
    other: /(?<!\S)(?:m[iıu]|dun|daha once|onceden|gecen|zaten|henuz|eger|sen|siz)(?!\S)/u,
    ofPlan: /(?<!\S)(?:adım|plan|islem|degisikli|liste|sıra|karar|not)/u,
    own: /[dt][ıiu][mk]$/u,
  },
  {
    deed: new RegExp(`^(?=.*(?:已|了|[刚剛]|被|我[们們]?把)).*(?:${CHINESE_VERBS})`, "u"),
    done: /^(?=.*[已了]).*完成/u,
    gone: /不在.{0,4}(?:[计計][划劃]|列表)|[没沒]有了/u,
    other:
      /[吗嗎呢请請想能就]|[没沒未不别別]|如果|(?<![必重主])要(?!求)|一旦|可以|会|會|昨天|以前|之前|上[次周週个個]|[应應][该該]|建[议議]|以下|下面|[专專]家|(?<!最)[后後]$|[时時](?:我|$)|的[话話]$|^ ?[你您](?!的)|很多人|人[们們]/u,
    ofPlan: /步|[计計][划劃]|[更修]改|[备備][注註]|[决決]定/u,
    own: /./u,
  },
];

/** Ends of clauses; the number of a step ("2. adım") is none. */
const CLAUSE_END = /(?<=[!?;。！？；\n])|(?<=[^\d\s]\.)|[,，:：]/u;

/**
 * Lists the clauses of a text that claim, in Turkish or Chinese, a change of a plan, or that a step is done or
 * gone: languages whose words do not stand alone, as those of `claimsAskedChange` do. `namesStep` says whether a
 * clause names a step. Pure, linear.
 *
 * @example
 * listPlanClaims("2. adımı sildim.", () => true); // [{ clause: "2. adımı sildim.", kind: "deed" }]
 * listPlanClaims("2. adımı silmedim.", () => true); // []
 */
export function listPlanClaims(
  text: string,
  namesStep: (clause: string) => boolean,
): readonly PlanClaim[] {
  return text.split(CLAUSE_END).flatMap((clause) => {
    if (endsAsQuestion(clause)) return [];
    const isNaming = namesStep(clause);
    const folded = foldText(clause).trim();
    return FORMS.flatMap((forms): PlanClaim[] => {
      const isOfPlan = forms.ofPlan.test(folded);
      const isState = isNaming && isOfPlan;
      if (isState && forms.gone.test(folded)) return [{ clause, kind: "gone" }];
      if (forms.other.test(folded)) return [];
      const isDeed = isOfPlan || (isNaming && forms.own.test(folded));
      if (isDeed && forms.deed.test(folded)) return [{ clause, kind: "deed" }];
      return isState && forms.done.test(folded) ? [{ clause, kind: "done" }] : [];
    });
  });
}
