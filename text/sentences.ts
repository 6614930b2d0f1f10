import { createSentenceRenderer, type ParameterKinds } from "./fill-template.ts";
import { readSpokenLanguage } from "./spoken-language.ts";

/**
 * Every sentence that code itself writes into a reply, by id: English, with named placeholders.
 * A domain that words replies has a table of its own, made with `createSentenceRenderer`.
 *
 * Not here: prompts, errors for developers, and what a command prints about itself.
 */
export const SENTENCES = {
  // Receipts: what was stored, and what was not
  receiptCreated: "Added: {rows}",
  receiptUpdated: "Changed: {rows}",
  undescribedByTool: "{count} {count|entry|entries} by {tool}",
  undescribedUndone: "{count} {count|entry|entries} of other data",
  receiptDeleted: "Deleted: {rows}",
  receiptUndone: "Undone: {rows}",
  receiptNotDone: "Not done: {rows}",
  receiptUnknown: "Not known: {rows}",
  receiptNoted: "Noted for every conversation: {rows}",
  receiptWithdrawn: "No longer noted: {rows}",
  receiptOutside: "Changed meanwhile: {rows}",
  receiptDrafted: "Not saved yet: {rows}",
  outsideDeleted: "{label} was deleted",
  outsideDeletedElsewhere: "{label} was deleted in another conversation",
  outsideChanged: "{label} was changed",
  outsideChangedElsewhere: "{label} was changed in another conversation",
  outsideRenamed: '{from} is now "{to}"',
  outsideRenamedElsewhere: '{from} is now "{to}" (changed in another conversation)',
  outsideFacts: "{change}: {facts}",
  nothingChanged: "Nothing was changed.",
  nothingChangedYet: "Nothing has been changed yet.",
  noRowChanged: "It changed nothing.",
  wishUnknown:
    "I do not know which of your wishes “{wish}” is about, so all that I noted before still hold.",
  wishEndUnclear:
    "I could not read “{until}” as a day to come, so “{wish}” holds until you say otherwise.",
  wishesNotRead: "I may have missed a wish in your message; please say it again if it matters.",

  notLeftOut: "I could not leave out {what}: I do not know which one you mean.",
  notBroughtBack: "I could not bring back {what}: I do not know which one you mean.",
  knownNotLeftOut: "I could not leave out {what}; please say so again.",
  knownNotBroughtBack: "I could not bring back {what}; please say so again.",
  goneNotBroughtBack: "I could not bring back {what}: it no longer exists.",
  somethingNamed: "something that you named",
  nothingLeftOut: "Nothing is left out any more: I have forgotten what you did not want.",

  // Replies without a model
  modelNotSetUp:
    "I cannot work at the moment: the assistant's language model is not set up correctly. Sending the message again will not help.",
  modelAway:
    "I cannot reach my language model at the moment. Your message is kept; send it again in a few minutes.",
  modelBusy:
    "Too much is being asked of me at the moment. Please try again in about {seconds} {seconds|second|seconds}.",
  modelTooSlow: "That took too long, and I stopped.",
  turnBudgetUsed: "This message has used up what one may use. Please ask for less at once.",
  modelTooMuch: "That is too much at once for me. Please send it in smaller parts.",
  modelUnreliable: "I could not put together a reliable answer to that. Please put it another way.",
  modelRefused: "I cannot answer that. Please put it another way.",
  answerAskedAgain: "An answer could not be used and was asked for again.",
  answerPartlyUsed: "Part of an answer could not be used and was left out.",
  waitingForPlace: "Waiting until the language model has time",
  waitingForRate: "Waiting until the language model takes more requests",
  waitingForModel: "Waiting for the language model",
  waitingForComparison: "Comparing the answers",
  viewsTakeTime: "Asking for {count} views and comparing them takes about {seconds} seconds",
  budgetRest:
    "This message has used up what one may use. Left to do: {rest}. Shall I go on with that?",
  threadBudgetUsed: "This conversation has used {used} of {allowed}. Go on with another {more}?",
  threadBudgetDeclined:
    "Then I stop here. Your message is kept: say yes to go on with another {more}.",
  threadBudgetNearlyUsed: "(This conversation has used {used} of {allowed}.)",
  lookupFailed: "I could not look up {what}: the lookup failed. Please try again.",
  lookedUpThat: "that",
  lookedUpRows: "the {rows}",
  replyCutShort: "(This answer was too long and is cut short here. Ask for the rest.)",
  wordsMissing: "I could not put this into words, so here is what happened.",
  outcome: "- {outcome}",
  outcomeOfStep: "- {task} ({status}): {outcome}",
  unknownStep: "Part of it",
  moreLeftOut: "Left out, as you asked: {count}.",
  labelsAndMore: "{labels} and {count} more",
  nothingFits: "I found nothing that fits.",
  noRowFits: "I found no {rows} that fit.",
  nothingStored: "There is nothing stored.",

  // Questions before data is changed
  proposedStep: "{number}. {changes}: {task}",
  proposedCall: "{number}. {task}",
  proposedCreate: "Add {rows}",
  proposedUpdate: "Change {rows}",
  proposedDelete: "Delete {rows}",
  thisCreates: "This creates {count} {rows}: {names}{consequences}.",
  thisChanges: "This changes {count} {rows}: {names}{consequences}.",
  thisDeletes: "This deletes {count} {rows}: {names}{consequences}.",
  valueBecomes: "{name}: {from} → {to}",
  amountBecomes: "{from} → {to}",
  labelWas: "was {label}",
  emptyValue: "none",
  proposedChanges: "{number}. {changes}",
  itemsGoToo: "{count} {items} {count|goes|go} with it",
  rowsGoToo: "{count} {items} {count|goes|go} with it: {names}",
  oneEntryGoesToo: "1 entry of {items} goes with it",
  rowsChangeToo: "{count} {items} {count|changes|change} with it",
  canBeUndone: "You can undo it for {days} days.",
  cannotBeUndone: "It cannot be undone.",
  doIt: "Do it?",
  doItAnyway: "Do it anyway?",
  rowsChangedSince: "Since I asked, this has changed: {rows}.",
  confirmCall:
    "This runs “{tool}” at another service ({values}). It cannot be undone from here. Do it?",
  confirmBareCall: "This runs “{tool}” at another service. It cannot be undone from here. Do it?",
  namedValue: "{name}: {value}",
  callNotPossible: "it could not be done",
  callNotAllowed: "I may not change that",
  outsideAnswer: "{tool}: {answer}",
  outsideDone: "done",
  callNotAnswered:
    "it was begun, and the program ended before the answer came; it is not known whether it happened, and it was not called again",
  callStopped: "it was stopped; it is not known whether it happened",
  callUnknown: "it did not answer within {seconds} seconds; it is not known whether it happened",
  callFailed: "the call failed; it is not known whether it happened",
  callTooSlow: "it did not answer within {seconds} seconds",
  waitsForYes: "Not done yet: the person is asked first",
  confirmationDropped: "I have dropped my question, since it was not answered: {wording}",

  // Undo
  undoneNoted: "no longer noted",
  undoneCreated: "back again",
  undoneUpdated: "as it was before",
  undoneDeleted: "removed again",
  undoneEarlier: "that was a change of an earlier message, {count} messages back",
  notUndone: "Nothing was undone: {reason}",
  nothingToUndo: "there is nothing in this conversation that could be undone",
  effectUnknown: "this conversation has made no such change",
  undoneAlready: "it has been undone already",
  doneOutside: "{tool} was done outside this program",
  olderThanDays: "it is older than {days} days",
  rowChangedSince: "{label} has been changed since{differences}",
  rowDeletedSince: "{label} has been deleted since",
  rowCreatedSince: "{label} has been created again since",
  valueInsteadOf: "{present} instead of {expected}",
  columnDiffers: "{column} {differences}",
  noValue: "nothing",
  rowRefused: "{label} cannot be as it was: {reason}",
  undoTheRest: "{conflicts}. I can leave that as it is and undo the rest.",
  otherRowsInTheWay: "other data has been changed since",

  // How a step ended
  takeChangesBack: "Take changes back",
  statusOpen: "not finished",
  statusDone: "done",
  statusPartial: "partly done",
  statusFailed: "failed",
  statusBlocked: "blocked",
  statusAsked: "waiting for your answer",
  statusSkipped: "not started",
  goAheadAnyway: "{breaches} Shall I go ahead anyway?",
  rowsNotDone: "{outcome} Not done: {rows}",
  stepNotDone: "Not done: {cause}",
  warning: "Note: {warning}.",
  stepEndedEarly: "Ended early ({cause}) with {result}",
  resultFound: "what was found",
  resultStored: "what was done",
  tokenLimit: "this message has used up what one may use",
  moneyLimit: "this message has cost what one may cost, {amount}",
  roundLimit: "it took more than {limit} attempts",
  limitOfCalls: "limit of calls",
  notStartedYet: "Not started, for the limit of calls: {rows}",
  stepWithoutResult: "That came to no result.",
  stepNotReached: "Not reached",
  turnStopped: "Not done: I was stopped before it",

  // What a tool call came to
  foundNone: "Found no {rows}",
  found: "Found {rows}",
  foundSome: "Found {rows} of {total}",
  created: "Created {rows}",
  updated: "Updated {rows}",
  undescribedChanged: "Changed {count} {count|entry|entries} of other data",
  deleted: "Deleted {rows}",
  countNotDone: "{count} not done: {rows}",
  draftsAtHand: "Had {count} {count|draft|drafts} at hand",
  turnsRecalled: "Recalled {count} earlier {count|turn|turns}",

  // Why a row was not written
  rowGone: "it no longer exists",
  rowSavedAlready: "it is saved already",
  columnMissing: "“{column}” is missing",
  valueMissing: "a required value is missing",
  rowStillNeeded: "other things still need it",
  linkBroken: "“{column}” points at something that no longer exists",
  someLinkBroken: "it points at something that no longer exists",
  rowTaken: "there is already one with the same “{column}”; change that one",
  valuesTaken: "there is already one with the same values; change that one",
  valueOutOfRange: "“{column}” is outside what is allowed",
  someValueOutOfRange: "a value is outside what is allowed",
  valueTooLarge: "“{column}” is too large",
  someValueTooLarge: "a value is too large",
  valueTooLong: "{columns} is longer than {length} characters",
  quotedColumn: "“{column}”",
  someValueTooLong: "a value is longer than {length} characters",
  rowNotAllowed: "it is not yours to change",
  valueUnfit: "“{column}” does not fit",
  someValueUnfit: "a value does not fit",
  refusedByRule: "{message}",

  // The concierge
  conciergeComesBack: "I will come back to your message when you write again.",
  planBegins: "Good. I am putting the plan together now.",
  planNotBegun:
    "(Putting the plan together did not work just now. Ask for it again, and I will try once more.)",
  thatHelps: "Thank you, that helps. What matters most to you in this?",
  stepHelpReady: "I have worked out step {number}, “{title}”: say “go on”.",
  stepHelpReadyUnnumbered: "I have worked out “{title}”: say “go on”.",
  planStep: "{number} (“{title}”)",
  planRestedOnGone: "{count|Step|Steps} {steps} rested on “{via}”.",
  planRestsOnChanged:
    "{count|Step|Steps} {steps} {count|rests|rest} on “{via}”, which has changed.",
  planRestsOnReopened:
    "{count|Step|Steps} {steps} {count|rests|rest} on “{via}”, which is open again.",
  planRestsOnSkipped: "{count|Step|Steps} {steps} {count|rests|rest} on “{via}”, which is skipped.",
  planRestsOnDecided: "{count|Step|Steps} {steps} {count|rests|rest} on the decision “{via}”.",
  planComesBefore:
    "{count|Step|Steps} {steps} now {count|comes|come} before “{via}”, and {count|rests|rest} on it.",
  planMoreAffected: "{count} more {count|step|steps} {count|rests|rest} on that.",

  // Journeys
  journeyUntitled: "Untitled",
  journeyPaused: "“{title}” is paused; say “back to {title}” to go on with it.",
  journeyPausedAt:
    "“{title}” is paused at step {step} of {steps}; say “back to {title}” to go on with it.",
  journeyDone: "“{title}” is finished; say “back to {title}” to look at it again.",
  journeyClosed: "“{title}” is closed; say “back to {title}” to take it up again.",
  journeyResumed: "We are back at “{title}”.",
  journeyResumedAt: "We are back at “{title}”, step {step} of {steps}.",
  journeyRenamed: "“{from}” is called “{title}” from now on.",
  journeyUnknown: "I know no journey called “{title}” in this conversation.",
  journeyNoneActive: "No journey is open at the moment.",
  journeyNonePaused: "No other journey is there to go back to.",
  journeyPausedAlready: "“{title}” is paused already.",
  journeyClosedAlready: "“{title}” is closed already.",
  journeyWithoutTitle: "What shall “{title}” be called?",
  journeyNotKept: "“{title}” is too old: what was said in it is no longer stored.",
  journeysKnown: "There {count|is|are} {titles}.",
  journeyWhich: "Which one do you mean: {titles}?",
  journeyTitle: "“{title}”",
  journeyCount: "{count} more",
  journeysNone: "There is no journey in this conversation yet: ask for advice, and one begins.",
  journeysList: "Journeys in this conversation:",
  journeyListed: "- “{title}”: {status}",
  journeyNow: "open now",
  journeyNowAt: "open now, step {step} of {steps}",
  journeyWaits: "paused",
  journeyWaitsAt: "paused at step {step} of {steps}",
  journeyIsDone: "finished",
  journeyIsClosed: "closed",
  journeyHowBack: "Say “back to” and its name to go on with one.",

  // Where an answer came from
  nobodyAsked:
    "That came from my own general knowledge: I asked nobody about it and looked nothing up. Check anything you would rely on.",
  askedEarlier:
    "For my last answer I asked nobody again. Earlier in this conversation I did; this is what came back then.",
  askedInVain:
    "I asked {count} {count|advisor|advisors} and none answered, so that came from my own general knowledge.",
  askedOne:
    "I asked {count} {count|advisor|advisors} and one answered, so nothing was checked against a second view.",
  askedMany:
    "I asked {count} advisors separately; {answered} {answered|has|have} answered, and I answered from what came back.",
  askedQuestion: "What I asked: {question}",
  askedForPlan: "What I asked for: a plan for what we had talked about.",
  askedForStep: "What I asked for: help with “{title}”.",
  askedForHelp: "What I asked for: help with a step of your plan.",
  cameBackHeading: "What came back:",
  sharedHeading: "What at least half of them supported:",
  littleShared: "They shared little: there is no point that half of them made.",
  differedHeading: "Where they differed:",
  difference: "{one}, and on the other hand {other}",
  alsoDiffered: "They did not agree on everything; ask me where they differed.",
  saidByOneHeading: "What only one of them said:",
  noDissent: "They differed on nothing that they said.",
  lookedAtHeading: "I asked nobody about it. My answer rests on this:",
  answerRests: "{outcome}",
  whoIAm: "I am an AI: {persona}.",
  howIWork:
    "I work by fixed instructions, which I do not recite. They aim at an answer that helps you, says what it rests on, and changes nothing without your word.",
  advisorsCanErr:
    "They are AI advisors, and agreeing does not make them right: check anything you would rely on.",

  // Turns that end early
  stoppedEarly: "Stopped before it was finished.",
  stoppedBeforeTurn: "Stopped before anything was begun; nothing was done",
  givenUpOnce:
    "I tried once and could not finish this. I will not try again by myself; please send it again, or put it another way.",
  givenUp:
    "I tried {count} times and could not finish this. I will not try again by myself; please send it again, or put it another way.",
  givenUpWithoutTurn:
    "Cannot answer: the message failed again and again and was given up; send it again, or put it another way",
  foreignThread:
    'Cannot open thread "{thread}": you have no thread of that name; choose another one',
  stateTooNew:
    'Cannot open thread "{thread}" (state {stored}, readable {current}): it was written by a newer version of the program; update this one. Nothing was changed',
  stateTooOld:
    'Cannot open thread "{thread}" (state {stored}, readable {current}): it was written by a version too old to be read; open it with the version before this one. Nothing was changed',
  messageNotStored: "{problem}. Your message was not stored; send it again",
  databaseAwayForUser: "I cannot get at what is stored at the moment",
  storingFailed: "Cannot store the message: an unexpected error, which is in the log",
  answeredOnceDatabaseIsBack:
    "{problem}. Your message is kept; once the database is back, it is answered before the next one",
  turnFailed:
    "Cannot finish the turn: an unexpected error, which is in the log. Your message is kept; send another to try it again",
} as const satisfies Readonly<Record<string, string>>;

/** The id of a sentence that code says to a person. */
export type SentenceId = keyof typeof SENTENCES;

/** The source of the values of every placeholder, by its name. */
export const SENTENCE_PARAMETERS = {
  rows: "content",
  change: "content",
  facts: "content",
  wish: "content",
  until: "content",
  what: "content",
  status: "content",
  labels: "content",
  changes: "content",
  names: "content",
  consequences: "content",
  from: "content",
  to: "content",
  label: "content",
  values: "content",
  value: "content",
  wording: "content",
  reason: "content",
  differences: "content",
  present: "content",
  expected: "content",
  conflicts: "content",
  breaches: "content",
  warning: "content",
  result: "content",
  columns: "content",
  title: "content",
  titles: "content",
  steps: "content",
  via: "content",
  question: "content",
  one: "content",
  other: "content",
  persona: "content",
  thread: "content",
  count: "amount",
  step: "amount",
  answered: "amount",
  seconds: "amount",
  used: "amount",
  allowed: "amount",
  more: "amount",
  number: "amount",
  days: "amount",
  amount: "amount",
  limit: "amount",
  total: "amount",
  length: "amount",
  stored: "amount",
  current: "amount",
  tool: "name",
  name: "name",
  items: "name",
  column: "name",
  rest: "foreign",
  outcome: "foreign",
  task: "foreign",
  answer: "foreign",
  cause: "foreign",
  message: "foreign",
  problem: "operator",
} as const satisfies ParameterKinds<typeof SENTENCES>;

/** Renders a sentence of the table with its values filled in, in the language that is spoken at present. */
export const renderSentence = createSentenceRenderer(
  SENTENCES,
  SENTENCE_PARAMETERS,
  readSpokenLanguage,
);

/** Returns the text, with a full stop where it has no end mark. */
export function addFullStop(text: string): string {
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}
