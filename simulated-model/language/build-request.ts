import { Temporal } from "temporal-polyfill";
import type { SimulatedWords } from "../../state/simulated-words.ts";
import type { Day } from "./dates.ts";
import type { Tree } from "./grammar.ts";
import { joinParts, type Lexicon, type Part } from "./lexicon.ts";
import {
  type Clause,
  createClause,
  createTarget,
  isShift,
  isChange,
  isTalk,
  TALK,
  type Request,
  type Target,
} from "./request.ts";
import { canLink, linkPronouns } from "./link-pronouns.ts";
import type { Symbol } from "./symbols.ts";
import { joinTyped } from "./tokens.ts";

/** Most things that one ordinal points at. */
const MOST_LISTED = 9;

/** Changes that a question about earlier messages can name. */
const DEEDS = ["created", "updated", "deleted"] as const;

type When = Pick<Clause, "day" | "slot">;

/** "Add rice; add eggs; both to my list" adds neither twice. */
function addsAgain(clauses: readonly Clause[]): boolean {
  const again = clauses.filter(
    ({ kind, names }) => kind === "add" && names.some(({ points }) => points === 0),
  );
  const made = clauses.filter(({ kind, stated }) => kind === "add" && !stated);
  return again.some(({ part }) => made.some((each) => joinParts(each.part, part) === null));
}

/** Builds the request of a parse of one row of symbols. */
export class RequestBuilder {
  private readonly symbols: readonly Symbol[];
  private readonly roles: SimulatedWords["roles"];
  private readonly missing: readonly string[];
  private readonly today: string;
  private lastPart: Part | null;

  constructor(
    symbols: readonly Symbol[],
    { words, lastPart, missing, today }: Pick<Lexicon, "words" | "lastPart" | "missing" | "today">,
  ) {
    this.today = today;
    this.missing = missing;
    this.symbols = symbols;
    this.roles = words.roles;
    this.lastPart = lastPart;
  }

  /** Returns what a parse asks for; null where a clause names one thing twice or lacks what it needs. */
  build(tree: Tree, message: string): Request | null {
    const clauses: Clause[] = [];
    let hasVerb = true;
    let before = "";
    for (const found of collect(tree, "Clause", "Answer", "Undo", "Report")) {
      const rule = found.rule === "Clause" ? found.children[0]?.children[0] : undefined;
      if (rule?.rule === "Ellipsis" && clauses.at(-1)?.kind === "show") continue;
      // "We are out of eggs, note it" asks for what was said.
      if (rule?.rule === "Note") {
        const noted = clauses.at(-1);
        const keeps = rule.children[0]?.rule === "Note_keep";
        if (noted === undefined || (keeps ? noted.kind !== "remove" : !NEWS.has(before)))
          return null;
        const [place = noted.part] = this.read(rule, ["part"], ({ part }) => part);
        const part = joinParts(noted.part, place);
        if (place !== null && part === null) return null;
        if (!keeps) clauses.splice(-1, 1, { ...noted, part, stated: false });
        continue;
      }
      before = rule?.rule ?? "";
      const built = this.buildClause(rule ?? found);
      // "We have used up the cucumber, it is all gone", "add salt, I used the last one" say it twice.
      const form = rule?.children[0]?.rule ?? "";
      const once = ONCE[form];
      const isOnce = built?.every(({ names }) => names.every(({ points }) => (points ?? 1) < 1));
      if (isOnce && once?.test(clauses.at(-1)?.kind ?? "") === true) continue;
      if (form === "Remove_echo") return null;
      // Only the first clause may go without a verb: "clear my tasks and recipes" shows nothing.
      const isBare = form === "Show_bare" && clauses.length > 0;
      // "No wait, Saturday" puts right what was done, and "Saturday" alone is for what was shown.
      const isLate = rule?.rule === "When" && clauses.some(({ kind }) => kind !== "no");
      // "Put rice and if eggs on my list" asks for nothing that is one word long.
      const asked = new Set(collect(rule ?? found, "ask", "q", "whenis").map(({ place }) => place));
      const isWeak = asked.size === 1 && clauses.some(isChange);
      // "When do I put rice and 6 eggs on my list" adds no eggs.
      const isVerbless = rule?.rule === "Level" || VERBLESS.has(form);
      const isAsked = isVerbless && clauses.some((clause) => !isChange(clause) && !isTalk(clause));
      // "Just got paid, add salmon" bought no "paid", and "my uncle brought a kilo of plums. They are on
      // the counter, add them" says where only with what follows.
      const isPaid = form === "Mark_bought" && built?.some(({ names: [only] }) => isWord(only));
      const isRemark = isPaid === true || form === "Need_given";
      const isPassing = isRemark && collect(tree, "Clause").length > 1;
      if (built === null || isBare || isLate || isWeak || isAsked || isPassing) return null;
      if (clauses.length > 0 && addsAgain([...clauses, ...built])) return null;
      hasVerb &&= form !== "Show_bare" && !built.some((each) => each.isFragment);
      clauses.push(...built);
      this.lastPart = built.findLast((clause) => clause.part !== null)?.part ?? this.lastPart;
    }
    // "Go on then, let the wings back in" agrees to what it asks for.
    const isWish = clauses.every(({ kind }) => kind === "restore" || kind === "yes");
    const wishes = isWish ? clauses.filter(({ kind }) => kind === "restore") : [];
    const linked = linkPronouns(wishes.length > 0 ? wishes : clauses);
    const kinds = new Set(linked.map(({ kind }) => kind));
    // "No, keep them" agrees to nothing that was proposed.
    if (linked.length === 2 && kinds.has("no") && kinds.has("save"))
      return { clauses: [createClause("no")], hasVerb, isQuestion: false };
    // "Add milk and not eggs" leaves nothing out: what is kept from a list is no exclusion.
    if (linked.some(isChange) && (kinds.has("exclude") || kinds.has("restore"))) return null;
    // "Add milk? Don't" takes the command back, and "yes, add milk" can mean a proposal or the command.
    const isTakenBack = clauses.slice(1).some(({ kind }) => kind === "no");
    const isRest = clauses.length > 1 && collect(tree, "Change_rest").length > 0;
    const isMixed =
      kinds.has("yes") && linked.some((clause) => !isTalk(clause) && clause.kind !== "save");
    if (isTakenBack || isMixed || isRest) return null;
    const isPolite = this.symbols.some(({ tags }) => tags.includes("canyou"));
    const asksHow = collect(tree, "howdo").length > 0;
    return {
      clauses: linked,
      hasVerb,
      isQuestion: asksHow || (!isPolite && /\?["'”’)\s]*$/.test(message)),
    };
  }

  private buildClause(tree: Tree): readonly Clause[] | null {
    const form = tree.children[0]?.rule.replace(`${tree.rule}_`, "") ?? "";
    const parts = this.read(tree, ["part", "schedule"], ({ part }) => part);
    const names = this.readTargets(tree);
    const [part = null] = parts;
    if (tree.rule === "Show") return this.buildShow(tree, parts);
    if (tree.rule === "Options") return this.buildOptions(tree);
    if (tree.rule === "Less") return this.buildLess(tree, part);
    const when = this.readWhen(tree);
    if (when === null) return null;
    const { schedule, list, stock } = this.roles;
    switch (tree.rule) {
      case "Ellipsis":
        return null;
      case "Answer":
        return [createClause(readAnswer(form))];
      case "Undo": {
        // "That was wrong" says what is so.
        const isBack = form === "back" || form === "mistake";
        return [createClause(isBack ? "takeback" : "undo", { stated: form === "mistake" })];
      }
      case "Report":
        return [
          createClause("report", {
            names: names.every(({ points }) => points === null) ? names : [],
            deed: DEEDS.find((deed) => collect(tree, deed).length > 0) ?? null,
          }),
        ];
      case "Allergy":
        return this.buildAllergy(tree, names);
      case "Lacking":
        return this.inPart("lacking", { names }, this.roles.choices);
      case "Save":
        return [createClause("save")];
      case "ShowName":
        if (part !== null) return [createClause("show", { names, part })];
        return names.map((name) => createClause("open", { names: [name] }));
      case "Have":
        return this.buildHave(tree, part);
      case "Add":
      case "Need":
        return this.buildAdd(tree);
      case "Remove": {
        const isDated = when.day !== null || when.slot !== null;
        if (names.length === 0 && when.day === null) return null;
        if (
          isDated &&
          (schedule === null || (part ?? { subdomain: schedule }).subdomain !== schedule)
        )
          return null;
        const isSpared = form === "unneeded" || form === "spared";
        // What somebody else did, and a thing without its place, is asked about.
        const stated = isSpared || ASKED.has(form) || (form === "bare" && part === null);
        const isOff = form === "back" || form === "off";
        const isListed =
          isSpared || form === "bare" || (isOff && names.some(({ points }) => points === null));
        const isStored = form === "used" || ASKED.has(form);
        // "I ate out" names no food.
        if (isStored && names.some(({ known, points }) => !known && points === null)) return null;
        const isCancelled =
          collect(tree, "cancel").length > 0 && names.every(({ points }) => points === null);
        const isPlanned = isDated || isCancelled || form === "notdoing";
        const usual = isStored ? stock : isListed ? list : isPlanned ? schedule : null;
        return [
          createClause("remove", { names, ...when, stated, part: part ?? createPart(usual) }),
        ];
      }
      case "Clear":
        return this.inPart("clear", { part }, null);
      case "Mark":
        if (parts.length > 1) return null;
        // "I have got the flu" bought nothing.
        if (form === "got" && names.some(({ known }) => !known)) return null;
        if (form === "others" || form === "got")
          return this.inPart("mark", { names, part, stated: true }, list);
        // "It" can be a task as well.
        if (names.length > 0 && names.every(({ points, ref }) => (points ?? ref) !== null))
          return [createClause("mark", { names, part })];
        return collect(tree, "Everything_it").length > 0
          ? this.inPart("mark", { part: this.lastPart }, null)
          : this.inPart("mark", { names, part }, list);
      case "Plan": {
        const dishes = this.shareDay(
          collect(tree, "Dish", "DatedDish", "NamedDish", "Undated").map((dish) =>
            this.readDish(dish),
          ),
        );
        return schedule === null || dishes.some(({ length }) => length === 0)
          ? null
          : [createClause("plan", { names: this.shareSlot(tree, dishes.flat()) })];
      }
      case "Swap": {
        const [now = [], before = []] = collect(tree, "Undated").map((each) =>
          this.readTargets(each),
        );
        const part = createPart(schedule);
        return [
          createClause("remove", { names: before, ...when, part }),
          createClause("plan", { names: now.map((name) => Object.assign({}, name, when)) }),
        ];
      }
      case "Trade": {
        const [old] = collect(tree, "Old").flatMap((each) => this.readTargets(each));
        const [item] = collect(tree, "New").map((each) => this.readItem(each));
        if (old === undefined || item === undefined || item.points !== null) return null;
        const given = { part: part ?? createPart(list), stated: true };
        return given.part === null
          ? null
          : [
              createClause("remove", { names: [old], ...given }),
              createClause("add", { names: [item], ...given }),
            ];
      }
      case "Fill": {
        const [count = null] = this.read(tree, ["number"], ({ number }) => number);
        return schedule === null || !isCount(count, 14)
          ? null
          : [createClause("fill", { ...when, count })];
      }
      case "Level":
        return this.buildLevel(tree, { names, part });
      case "Change":
        return this.buildChange(tree, { ...when, names, part });
      case "Shift":
      case "When":
        return this.buildChange(tree, { names, part });
      case "Exclude":
        // "No more cumin in the pantry" says what is gone from there.
        if (this.isStored(part) && when.day === null)
          return [createClause("remove", { names, part, stated: true })];
        return [createClause("exclude", { names, day: when.day })];
      default:
        // "Put milk back on the list" speaks of the list, not of a wish.
        return part !== null && (part.subdomain === list || part.subdomain === stock)
          ? [createClause("add", { names, part })]
          : [createClause("restore", { names })];
    }
  }

  /** "Do we have eggs and milk?" is one look for each; what may have been bought is on the list or there. */
  private buildHave(tree: Tree, named: Part | null): readonly Clause[] | null {
    const names = collect(tree, "Names").flatMap((each) => this.readTargets(each));
    // "Are the wings gluten free?" asks for something else.
    if (!collect(tree, "Name").every((each) => this.isThing(each))) return null;
    // "What is lying there" names nothing.
    const isOpen = collect(tree, "what", "whatis").length > 0;
    if (isOpen && names.some(({ known, points }) => !known && points === null)) return null;
    const { list, stock } = this.roles;
    const isThere = collect(tree, "There_there").length > 0;
    if (isThere && !this.isPlace(this.lastPart)) return null;
    const usual = collect(tree, "NeedWord").length > 0 ? [list, stock] : [stock ?? list];
    const part = isThere ? this.lastPart : named;
    const places = part === null ? usual.map(createPart) : [part];
    const looks = names.flatMap((name) =>
      places.flatMap((place) => this.inPart("show", { names: [name], part: place }, null) ?? []),
    );
    return looks.length === 0 ? null : looks;
  }

  /** A thing's name ends with a word that is known, or is short. */
  private isThing(name: Tree): boolean {
    const words = collect(name, "n", "u").map(({ rule }) => rule);
    return words.at(-1) === "n" || (words.length < 3 && !words.includes("n"));
  }

  /** The days of what expires soon: what is past its day is no less urgent. */
  private createSoon(): Day {
    const today = Temporal.PlainDate.from(this.today);
    const [first, last] = [-30, 7].map((days) => today.add({ days }).toString());
    return { first: first ?? "", last: last ?? "", or: null, evening: false };
  }

  /** "There" is a list or a place: not all that is in stock. */
  private isPlace(part: Part | null): boolean {
    return part !== null && (part.subdomain !== this.roles.stock || part.value !== null);
  }

  private isStored(part: Part | null): boolean {
    return part !== null && part.subdomain === this.roles.stock;
  }

  private inPart(
    kind: Clause["kind"],
    given: Partial<Clause>,
    usual: string | null,
  ): readonly Clause[] | null {
    const part = given.part ?? createPart(usual);
    return part === null ? null : [createClause(kind, { ...given, part })];
  }

  /** "What can I make with eggs?" asks for what has them, and "suggest a dinner for Friday" for one on that day. */
  private buildOptions(tree: Tree): readonly Clause[] | null {
    const made = collect(tree, "Filter_using", "Filter_name").flatMap((each) =>
      this.readTargets(each),
    );
    const traits = this.read(tree, ["trait", "n"], ({ typed }) => createKnown(typed));
    // "With the stuff that we have" names no food.
    if (made.some(({ known, points }) => !known && points === null)) return null;
    const names = [...traits, ...made];
    const isJudged = traits.length > 0 || collect(tree, "withstock").length > 0;
    if (names.length > 0 && !isJudged)
      return this.inPart("show", { names, uses: true }, this.roles.choices);
    const days = this.read(tree, ["date"], ({ day }) => day);
    const [slot = null] = this.read(tree, ["value"], ({ value }) => value);
    const isDay = days.length > 0 && days.every(({ first, last }) => first === last);
    if (collect(tree, "idea").length > 0 && isDay && this.roles.schedule !== null)
      return days.map((day) =>
        createClause("suggest", { names, day, slot: day.evening ? "dinner" : slot }),
      );
    return [createClause("options", { names, uses: collect(tree, "fastest").length > 0 })];
  }

  private buildAllergy(tree: Tree, names: readonly Target[]): readonly Clause[] | null {
    const [person = null] = collect(tree, "Person").flatMap((each) => this.readTargets(each));
    return names.some(({ points }) => points !== null)
      ? null
      : this.inPart("allergy", { names, person }, this.roles.people);
  }

  /** "On Thursday and Saturday" is one look for each day. */
  private buildShow(tree: Tree, parts: readonly Part[]): readonly Clause[] | null {
    const dates = collect(tree, "Filter_day");
    if (dates.length > 1) return null;
    const days = this.read(tree, ["date"], ({ day }) => day);
    const shown = (days.length > 0 ? days : [null]).map((day) => {
      const when = this.readWhen(tree, day);
      return when === null ? null : this.buildLook(tree, parts, when);
    });
    return shown.some((clauses) => clauses === null) ? null : shown.flatMap((each) => each ?? []);
  }

  private buildLook(tree: Tree, parts: readonly Part[], when: When): readonly Clause[] | null {
    const uses = collect(tree, "Filter_using").flatMap((each) => this.readTargets(each));
    const named = collect(tree, "Filter_name", "DishName").flatMap((each) =>
      this.readTargets(each),
    );
    // "The fridge with the milk" and "the rice and stuff" show no part of a place.
    const { choices } = this.roles;
    const isMade = choices === null || parts.every(({ subdomain }) => subdomain === choices);
    if (uses.length > 0 && (named.length > 0 || !isMade)) return null;
    const traits = this.read(tree, ["trait"], ({ typed }) => createKnown(typed));
    const given = { ...when, names: [...uses, ...named, ...traits], uses: uses.length > 0 };
    const form = tree.children[0]?.rule ?? "";
    if (form === "Show_expiring") {
      const [part = createPart(this.roles.stock)] = parts;
      const day = when.day ?? this.createSoon();
      return this.isStored(part) ? [createClause("show", { part, day })] : null;
    }
    if (form === "Show_until") return this.inPart("show", given, this.roles.stock);
    if (form === "Show_needed") return this.inPart("show", given, this.roles.list);
    if (form === "Show_it") return this.inPart("show", { part: this.lastPart }, null);
    if (parts.length > 0) return parts.map((part) => createClause("show", { ...given, part }));
    // Who is allergic to what stands with the people.
    if (form.startsWith("Show_allerg")) return this.inPart("show", {}, this.roles.people);
    if (named.length > 0 && collect(tree, "whenis").length > 0)
      return this.inPart("show", given, this.roles.schedule);
    // "What is for dinner tonight?" speaks of the schedule without naming it.
    const isPlain =
      given.names.length === 0 &&
      !(when.day === null && when.slot === null && collect(tree, "eating").length === 0);
    return isPlain ? this.inPart("show", given, this.roles.schedule) : null;
  }

  /** "Milk to the list and eggs to the fridge": the items up to a part go into it. */
  private buildAdd(tree: Tree): readonly Clause[] | null {
    const clauses: Clause[] = [];
    const form = tree.children[0]?.rule;
    const [into] = this.read(tree, ["part"], ({ part }) => part);
    // "I froze 4 rolls" names the place in its verb.
    const [home = null] = this.read(tree, ["istored"], (symbol) => symbol.part);
    // "I have put milk in the fridge" says what is to be noted, "on the list" what is done.
    const isNews =
      form === "Need_arrived" ||
      form === "Need_go" ||
      ((form === "Need_plain" || form === "Need_counted") && into?.subdomain === this.roles.list) ||
      (STORED.has(form ?? "") && this.isStored(into ?? home));
    // "And bacon" goes where the things before it went, and so does what is put "on there".
    const isThere = collect(tree, "ToPart_there", "ThrownTo_there").length > 0;
    if (isThere && !this.isPlace(this.lastPart)) return null;
    // "Order pizza" may ask for a delivery, and "store the eggs" for a place in stock.
    const isVague = this.symbolsAt(tree, "add", "put", "buy").some(({ tags }) =>
      tags.includes("vague"),
    );
    const stated =
      (tree.rule === "Need" && !isNews) ||
      (isVague && into === undefined && !isThere) ||
      (form === "Add_bare" && this.isPlaced(tree));
    const isFragment = form === "Add_also" || form === "Add_too" || form === "Add_more";
    const isStock = form === "Need_got" || form === "Need_given" || STORED.has(form ?? "");
    const usual = isStock ? this.roles.stock : this.roles.list;
    let part = (isFragment || isThere ? this.lastPart : home) ?? createPart(usual);
    let names: Target[] = [];
    const [counted] = collect(tree, "Counted", "Placed");
    // "There is no cheese in the fridge" says where it is missing, not where it is to go.
    const isNone = form === "Need_none";
    const places = collect(tree, "Item", ...(isNone ? [] : ["Place_inside", "part", "schedule"]));
    // "Inventory: carrots 3" says what is there.
    if (form === "Add_list" && into?.subdomain === this.roles.stock && into.value === null)
      return null;
    for (const piece of counted === undefined ? places : [counted, ...places]) {
      const [outer = null, inner = null] = this.read(
        piece,
        ["part", "schedule"],
        (symbol) => symbol.part,
      );
      const named = this.at(piece)?.part ?? joinParts(outer, inner);
      if (inner !== null && named === null) return null;
      if (collect(piece, "whatislacking").length > 0) names.push(...this.missing.map(createKnown));
      else if (named === null) names.push(...this.readMissing(this.readItem(piece)));
      else if (names.length === 0) part = named;
      else {
        clauses.push(createClause("add", { names, part: named, stated, isFragment }));
        [names, part] = [[], named];
      }
    }
    // Without a verb a strange word may be one: "ad milk to the list".
    const added = [...clauses.flatMap((each) => each.names), ...names];
    if (
      VERBLESS.has(form ?? "") &&
      added.some(({ known, points, quantity }) => !known && (points ?? quantity) === null)
    )
      return null;
    // "My sister brought a friend" leaves nothing in the kitchen.
    if (form === "Need_given" && added.some(({ known }) => !known)) return null;
    // What is missing is what the last reply found so.
    if (names.length === 0) return clauses.length === 0 ? null : clauses;
    const last = createClause("add", { names, part, stated, isFragment });
    return part === null ? null : [...clauses, last];
  }

  /** "I used 2 eggs" and "3 of the carrots": what a row has becomes less. */
  private buildLess(tree: Tree, part: Part | null): readonly Clause[] | null {
    // "I used 2 eggs" speaks of what is in stock.
    const usual = collect(tree, "usedup", "had").length > 0 ? createPart(this.roles.stock) : null;
    return collect(tree, "Portion", "Lessened").map((portion) => {
      const { quantity, unit, ...name } = this.readItem(portion);
      const to = createTarget("", { quantity: -(quantity ?? 0), unit });
      const names = [{ ...name, quantity: null, unit: null }];
      return createClause("change", { names, to, part: part ?? usual });
    });
  }

  /** "Only 3 eggs left", "the rice is down to 100 g": what a row has by now. */
  private buildLevel(
    tree: Tree,
    { names, part }: Pick<Clause, "names" | "part">,
  ): readonly Clause[] | null {
    const [portion] = collect(tree, "Portion");
    const stored = part ?? createPart(this.roles.stock);
    if (portion === undefined)
      return this.buildChange(tree, { names, part: names.length === 0 ? part : stored });
    // "And only 6 eggs on the list" limits what is wanted.
    if (part !== null && part.subdomain === this.roles.list) return null;
    const { quantity, unit, ...name } = this.readItem(portion);
    const to = createTarget("", { quantity, unit });
    return [
      createClause("change", {
        names: [{ ...name, quantity: null, unit: null }],
        to,
        part: stored,
      }),
    ];
  }

  /** "Make it 4", "move friday's dinner to saturday": one row, and what it is to have. */
  private buildChange(tree: Tree, given: Partial<Clause>): readonly Clause[] | null {
    const [value] = collect(tree, "NewAmount", "NewPlace", "NewDay", "NewSlot", "NewShift");
    const { names = [], slot, day } = given;
    const to = value === undefined ? null : this.readNew(value);
    if (to === null || (day == null && slot != null)) return null;
    // "Make it 3 onions" says what "it" is; "actually 12" means what was added last.
    const typed = names.filter(({ points }) => points === null);
    const pointer = isShift(to) ? "it" : `${to.quantity ?? "it"}`;
    const rest = day == null ? [createTarget(pointer, { points: 0 })] : [];
    const meant = [typed, names, rest].find(({ length }) => length > 0) ?? [];
    const isFragment = tree.children[0]?.rule === "Change_rest";
    return meant.length > 1
      ? null
      : [createClause("change", { ...given, names: meant, to, isFragment })];
  }

  /** An amount, a day or a place; null where it is none that a row can have. */
  private readNew(piece: Tree): Target | null {
    const [quantity = null] = this.read(piece, ["number"], ({ number }) => number);
    if (piece.rule === "NewShift") {
      const days = collect(piece, "sooner").length > 0 ? "days earlier" : "days later";
      return createTarget("", { quantity: quantity ?? 1, unit: days });
    }
    const [unit = null] = this.read(piece, ["unit"], ({ value }) => value);
    const [place = null] = this.read(piece, ["part"], ({ part }) => part?.value ?? null);
    const when = this.readWhen(piece);
    if (when === null || when.day?.first !== when.day?.last) return null;
    const slot = piece.rule !== "NewAmount" ? (when.slot ?? place) : null;
    return (quantity ?? when.day ?? slot) === null
      ? null
      : createTarget("", { quantity, unit, day: when.day, slot });
  }

  /** "Add them" can mean what the last reply found missing. */
  private readMissing(item: Target): readonly Target[] {
    const isMeant = item.points === 0 && canLink(item, this.missing);
    return isMeant ? this.missing.map(createKnown) : [item];
  }

  private readItem(item: Tree): Target {
    const [name = createTarget("it", { points: 0 })] = this.readTargets(item);
    const [unit = null] = this.read(item, ["unit"], ({ value }) => value);
    const [number] = this.read(item, ["number"], (symbol) => symbol.number);
    const ones = collect(item, "one").flatMap((each) => this.at(each)?.typed.toLowerCase() ?? []);
    const quantity = number ?? (ones.length > 0 ? 1 : null);
    const isMore = collect(item, "more").length > 0 || ones.includes("another");
    return { ...name, unit, quantity, more: quantity !== null && isMore };
  }

  /** A dish for each of its days; empty where that is not certain. */
  private readDish(dish: Tree): Target[] {
    const targets = this.readTargets(dish);
    // "The wings, put those on Tuesday" names them once.
    const [name, ...more] =
      targets.length === 2 ? targets.filter(({ points }) => points !== 0) : targets;
    const [people = null, ...others] = this.read(dish, ["number"], ({ number }) => number);
    const isOne = more.length === 0 && collect(dish, "PlanWhere_day").length < 2;
    if (name === undefined || !isOne || others.length > 0 || !isCount(people, 50)) return [];
    const days = this.read(dish, ["date"], ({ day }) => day);
    const planned = (days.length > 0 ? days : [null]).flatMap((day) => {
      const when = this.readWhen(dish, day);
      const isSpan = day !== null && day.first !== day.last;
      return when === null || isSpan ? [] : [{ ...name, ...when, people }];
    });
    return planned.length < days.length ? [] : planned;
  }

  /** "Curry and risotto on Wednesday" has one day for both. */
  private shareDay(dishes: readonly Target[][]): readonly Target[][] {
    const last = dishes.at(-1) ?? [];
    const [only] = last;
    const isShared =
      last.length === 1 && dishes.slice(0, -1).every((dish) => dish.every(isWithoutDay));
    if (only === undefined || !isShared) return dishes;
    const { day, slot } = only;
    return dishes.map((dish) => dish.map((each) => Object.assign({}, each, { day, slot })));
  }

  /** "Both for dinner" holds for each dish that names no time of its own. */
  private shareSlot(tree: Tree, dishes: readonly Target[]): readonly Target[] {
    const [shared = null] = collect(tree, "Shared").flatMap((each) =>
      this.read(each, ["value"], ({ value }) => value),
    );
    return dishes.map((dish) => Object.assign({}, dish, { slot: dish.slot ?? shared }));
  }

  /** One date for one thing: null where there are two and none is given. */
  private readWhen(tree: Tree, given?: Day | null): When | null {
    const [only = null, ...days] = this.read(tree, ["date"], (symbol) => symbol.day);
    const [slot = null, ...slots] = this.read(tree, ["value"], ({ value }) => value);
    if ((given === undefined && days.length > 0) || slots.length > 0) return null;
    const day = given === undefined ? only : given;
    return { day, slot: slot ?? (day?.evening === true ? "dinner" : null) };
  }

  /** The things that stand directly in a clause, in order. */
  private readTargets(tree: Tree): Target[] {
    return collect(tree, "Name", "Several", "ord", "it").flatMap((each) => {
      if (each.rule === "Several") return this.readSeveral(each);
      const pointer = this.at(each);
      if (pointer !== undefined)
        return createTarget(pointer.typed, { points: pointer.number ?? 0 });
      const words = collect(each, "n", "u").flatMap((word) => this.at(word) ?? []);
      const text = joinTyped(words);
      const [only, ...others] = words;
      if (only === undefined || others.length > 0) return createTarget(text);
      return createTarget(text, {
        known: only.tags.includes("n") && only.value !== "half" && only.value !== "new",
        ref: only.quoted?.ref ?? null,
      });
    });
  }

  /** "The last two": a pointer for each of them. */
  private readSeveral(tree: Tree): Target[] {
    const symbols = collect(tree, "ord", "number").flatMap((each) => this.at(each) ?? []);
    const [end = 0, count = 0] = symbols.map(({ number }) => number ?? 0);
    const text = symbols.map(({ typed }) => typed).join(" ");
    const isCounted = Math.abs(end) === 1 && Number.isInteger(count) && count <= MOST_LISTED;
    if (!isCounted) return [createTarget(text, { points: 0 })];
    return Array.from({ length: count }, (_, index) =>
      createTarget(`${index + 1} of the ${text}`, { points: end * (index + 1) }),
    );
  }

  private read<T>(tree: Tree, rules: readonly string[], pick: (symbol: Symbol) => T | null): T[] {
    return this.symbolsAt(tree, ...rules)
      .map(pick)
      .filter((value) => value !== null);
  }

  /** "The jam in the fridge" is there, and "the jam to the fridge" goes there. */
  private isPlaced(tree: Tree): boolean {
    const [item] = collect(tree, "Item");
    const dets = item === undefined ? [] : this.symbolsAt(item, "det");
    return (
      dets.some(({ typed }) => /^(?:the|that|those|these|this)$/iu.test(typed)) &&
      collect(tree, "to", "into").length === 0
    );
  }

  private symbolsAt(tree: Tree, ...rules: readonly string[]): Symbol[] {
    return collect(tree, ...rules).flatMap((each) => this.at(each) ?? []);
  }

  private at({ place }: Tree): Symbol | undefined {
    return place === null ? undefined : this.symbols[place];
  }
}

/** Clauses that say once more what became of "it", and the kinds that they repeat. */
const ONCE: Readonly<Record<string, RegExp>> = {
  Need_gone: /^remove$/,
  Remove_used: /^add$/,
  Remove_echo: /^(?:remove|change)$/,
};

/** Forms of a removal that only tell what happened. */
const ASKED: ReadonlySet<string> = new Set(["bad", "others", "nolonger"]);

/** Rules of clauses that say where something was put or is. */
const STORED: ReadonlySet<string> = new Set(
  "Need_put Need_first Need_stored Need_storedcount Need_inside".split(" "),
);

/** Rules of additions without a verb, and of news. */
const VERBLESS: ReadonlySet<string> = new Set([
  ..."Add_bare Add_at Add_place Add_both Need_arrived Need_within Need_holds Need_given".split(" "),
  ...STORED,
]);

/** Rules of clauses that can say what is so. */
const NEWS: ReadonlySet<string> = new Set(["Level", "Less", "Need", "Mark", "Remove", "Plan"]);

function createKnown(text: string): Target {
  return createTarget(text, { known: true });
}

/** One word that names nothing known. */
function isWord(name: Target | undefined): boolean {
  return name?.points === null && !name.known && !name.text.includes(" ");
}

function isWithoutDay({ day, slot }: Target): boolean {
  return day === null && slot === null;
}

/** Rules whose words belong to them alone and not to the clause around them. */
const APART: ReadonlySet<string> = new Set(
  "Item Old New Usage Occasion Portion Lessened Dish DatedDish Undated NamedDish NewShift Scratched Person Filter_name Filter_using DishName Lately Purpose Before Shared NotAmount NewAmount NewPlace NewDay NewSlot".split(
    " ",
  ),
);

/** The topmost nodes of some rules; what stands in a rule of its own is not looked into. */
function collect(tree: Tree, ...rules: readonly string[]): Tree[] {
  return tree.children.flatMap((child) => {
    if (rules.includes(child.rule)) return [child];
    return APART.has(child.rule) ? [] : collect(child, ...rules);
  });
}

function createPart(subdomain: string | null): Part | null {
  return subdomain === null ? null : { subdomain, value: null };
}

function isCount(count: number | null, most: number): boolean {
  return count === null || (Number.isInteger(count) && count >= 1 && count <= most);
}

function readAnswer(form: string): (typeof TALK)[number] {
  return form === "apart" ? "meant" : (TALK.find((talk) => talk === form) ?? "help");
}
