import type { Mutant } from "./mutant.ts";

type Mistake = Omit<Mutant, "file" | "tests">;

const REGISTRY = ["test/registry"];
const SUMMARIES = ["test/summaries"];
const FILTERS = ["test/output-filter"];
const LEASES = ["test/storage/conversations/leases.test.ts"];

function mutants(file: string, tests: readonly string[], mistakes: readonly Mistake[]): Mutant[] {
  return mistakes.map((mistake) => ({ file, tests, ...mistake }));
}

/** Bounds, negations, dropped conditions and wrong orders, by file. */
export const MUTANTS: readonly Mutant[] = [
  ...mutants("registry/window.ts", REGISTRY, [
    {
      breaks: "an entity stays active in the last turn of the window",
      find: "entry.referencedTurn >= at.turn - at.window",
      replace: "entry.referencedTurn > at.turn - at.window",
    },
    {
      breaks: "a deleted entry stays for all of deletedRefTurns",
      find: "lastTouched(entry) < turn - limits.deletedRefTurns",
      replace: "lastTouched(entry) <= turn - limits.deletedRefTurns",
    },
    {
      breaks: "no more than rowsHeld rows are held",
      find: "held.slice(cap)",
      replace: "held.slice(cap + 1)",
    },
  ]),
  ...mutants("registry/candidates.ts", REGISTRY, [
    {
      breaks: "what is restored in the turn of the analysis is a choice again",
      find: "(entry.restoredTurn ?? 0) >= analysis.turn",
      replace: "(entry.restoredTurn ?? 0) > analysis.turn",
    },
  ]),
  ...mutants("registry/hide-ids.ts", REGISTRY, [
    {
      breaks: "an id of exactly twelve characters is hidden",
      find: "entry.id.length >= SHORTEST_RECOGNISABLE",
      replace: "entry.id.length > SHORTEST_RECOGNISABLE",
    },
  ]),
  ...mutants("registry/render-outcome.ts", REGISTRY, [
    {
      breaks: "an id that the registry does not know is blotted out of an outcome",
      find: "neutralise(blotIds(hideKnown(text)))",
      replace: "neutralise(hideKnown(text))",
    },
  ]),
  ...mutants("registry/curation.ts", REGISTRY, [
    {
      breaks: "what was deleted can still be forgotten",
      find: 'entry.action === "deleted" && action !== "drop"',
      replace: 'entry.action === "deleted"',
    },
    {
      breaks: "of demote and restore, an excluded entry is restored",
      find: '(isOut || !wants("demote"))',
      replace: '!wants("demote")',
    },
  ]),
  ...mutants("registry/apply-event.ts", REGISTRY, [
    {
      breaks: "a row of a newer version replaces a fuller one that is held",
      find: "const richer = held && ",
      replace: "const richer = ",
    },
    {
      breaks: "an excluded entry is no longer retained",
      find: "demotion: { turn, reason }, retention: null }",
      replace: "demotion: { turn, reason } }",
    },
    {
      breaks: "counters never go back",
      find: "const last = Math.max(number, lastNumber(registry, prefix));",
      replace: "const last = number;",
    },
  ]),
  ...mutants("registry/constraints.ts", REGISTRY, [
    {
      breaks: "a constraint holds through its last day",
      find: "constraint.until < today",
      replace: "constraint.until <= today",
    },
    {
      breaks: "of two answers with one text, the rule overrides the wish",
      find: 'same.some((one) => one.kind === "hard") ? "hard" : last.kind',
      replace: "last.kind",
    },
  ]),
  ...mutants("registry/refs.ts", REGISTRY, [
    {
      breaks: "a short run within a list with gaps is spelled out",
      find: "const PARTIAL_RUN = 5;",
      replace: "const PARTIAL_RUN = 4;",
    },
  ]),
  ...mutants("registry/translate.ts", REGISTRY, [
    {
      breaks: "a foreign id without a ref is left out",
      find: "options.findRef(options.type, String(value)) ?? undefined",
      replace: "options.findRef(options.type, String(value)) ?? value",
    },
  ]),
  ...mutants("summaries/ledger.ts", SUMMARIES, [
    {
      breaks: "a full ledger is folded at once",
      find: "ledger.length >= limits.ledgerLines",
      replace: "ledger.length > limits.ledgerLines",
    },
    {
      breaks: "the summary of a turn that is there already is replaced",
      find: "before.summaries.filter((one) => one.turnNumber !== record.turnNumber)",
      replace: "before.summaries",
    },
    {
      breaks: "a fold by code keeps the newest sentences",
      find: "kept = kept.slice(1);",
      replace: "kept = kept.slice(0, -1);",
    },
    {
      breaks: "a history never forgets through which turn it goes",
      find: "return Math.max(history.throughTurn, ...lines.map((line) => line.turn));",
      replace: "return lines[0]?.turn ?? history.throughTurn;",
    },
    {
      breaks: "a model's fold may fill its budget",
      find: "fold.countTokens(text) > fold.limits.historyTokens",
      replace: "fold.countTokens(text) >= fold.limits.historyTokens",
    },
  ]),
  ...mutants("summaries/patch-handover.ts", SUMMARIES, [
    {
      breaks: "at its limit a list of a handover loses its oldest entries",
      find: '.slice(-(field === "revealedConstraints" ? limits.constraints : limits.entries))',
      replace: '.slice(0, field === "revealedConstraints" ? limits.constraints : limits.entries)',
    },
    {
      breaks: "an entry that a patch repeats is not added again",
      find: "for (const entry of kept) added.delete(sameness(entry));",
      replace: "",
    },
  ]),
  ...mutants("summaries/workflow-progress.ts", SUMMARIES, [
    {
      breaks: "after a completed step the plan goes on behind it",
      find: "[taken, next, first]",
      replace: "[taken, first, next]",
    },
  ]),
  ...mutants("summaries/narrative.ts", SUMMARIES, [
    {
      breaks: "a proposal outweighs what was narrowed in the same turn",
      find: '  if (facts.plan?.decision === "propose") return "confirming";\n  if (hasNarrowed(facts)) return "narrowing";',
      replace:
        '  if (hasNarrowed(facts)) return "narrowing";\n  if (facts.plan?.decision === "propose") return "confirming";',
    },
  ]),
  ...mutants("summaries/build-record.ts", SUMMARIES, [
    {
      breaks: "a step's drafts are among what it affected",
      find: "[...new Set([...result.refs, ...result.artifacts])]",
      replace: "[...new Set(result.refs)]",
    },
  ]),
  ...mutants("summaries/last-turn-summary.ts", SUMMARIES, [
    {
      breaks: "a stored row is named once, by its effect",
      find: "? step.entitiesAffected.filter((ref) => !stored.has(ref))",
      replace: "? step.entitiesAffected",
    },
  ]),
  ...mutants("summaries/prior-context.ts", SUMMARIES, [
    {
      breaks: "the newest analysis is quoted",
      find: "records.findLast((record) => record.analysisConclusions",
      replace: "records.find((record) => record.analysisConclusions",
    },
  ]),
  ...mutants("summaries/recent-turns.ts", SUMMARIES, [
    {
      breaks: "both messages of the last exchange are shown at full length",
      find: "index < messages.length - 2",
      replace: "index < messages.length - 1",
    },
  ]),
  ...mutants("summaries/recalled-turns.ts", SUMMARIES, [
    {
      breaks: "matches that were not read are counted",
      find: "const all = Math.max(total, turns.length);",
      replace: "const all = blocks.length;",
    },
  ]),
  ...mutants("storage/conversations/leases.ts", LEASES, [
    {
      breaks: "a lease is not taken over before its end",
      find: "expires_at <= clock_timestamp())",
      replace: "expires_at <= clock_timestamp() + interval '3 seconds')",
    },
    {
      breaks: "every owner of a lease gets a new fencing token",
      find: "fence = leases.fence + 1",
      replace: "fence = leases.fence",
    },
    {
      breaks: "a heartbeat that fails does not give the lease up",
      find: "renewLease(db, lease).catch(() => null)",
      replace: "renewLease(db, lease).catch(() => false)",
    },
    {
      breaks: "a slow heartbeat does not lengthen the lease by its own duration",
      find: "lease.ttlMs - (performance.now() - began)",
      replace: "lease.ttlMs",
    },
    {
      breaks: "a lease is renewed before it ends",
      find: "}, lease.ttlMs / 3);",
      replace: "}, lease.ttlMs);",
    },
    {
      breaks: "a lease is given back when its work throws",
      find: "    await releaseWithRetry(db, { ...lease, ttlMs: request.ttlMs });\n",
      replace: "",
    },
  ]),
  ...mutants("storage/migrations/0002_conversations.sql", LEASES, [
    {
      breaks: "nothing is written under a lease that was given back",
      find: "and owner = holder and fence = holders_fence",
      replace: "and fence = holders_fence",
    },
  ]),
  ...mutants(
    "storage/conversations/inbox.ts",
    ["test/storage/conversations/inbox.test.ts"],
    [
      {
        breaks: "the first outcome of a message stands",
        find: "finished_at = now()\n      where thread_id = $1 and message_id = $2 and finished_at is null",
        replace: "finished_at = now()\n      where thread_id = $1 and message_id = $2",
      },
      {
        breaks: "an attempt that got further before its process died does not count",
        find: "when tried_from <> $3 then 1",
        replace: "when tried_from = $3 then 1",
      },
    ],
  ),
  ...mutants(
    "storage/runs/record-run-events.ts",
    ["test/storage/runs/record-run-events.test.ts"],
    [
      {
        breaks: "a process without the lease learns that its events were not stored",
        find: "if (rowCount === 0) throw",
        replace: "if (rowCount === null) throw",
      },
    ],
  ),
  ...mutants(
    "storage/runs/run-events.ts",
    ["test/storage/runs/run-events.test.ts"],
    [
      {
        breaks: "a reader that resumes gets no event twice",
        find: "run_id = $1 and seq > $2",
        replace: "run_id = $1 and seq >= $2",
      },
    ],
  ),
  ...mutants(
    "storage/runs/runs.ts",
    ["test/storage/runs"],
    [
      {
        breaks: "the first end of a run stands",
        find: "finished_at = now()\n      where run_id = $1 and finished_at is null",
        replace: "finished_at = now()\n      where run_id = $1",
      },
      {
        breaks: "a rollback that was asked for outweighs a later interrupt",
        find: "case when cancel = 'rollback' then cancel else $2 end",
        replace: "$2",
      },
    ],
  ),
  ...mutants(
    "storage/runs/jobs.ts",
    ["test/storage/runs/jobs.test.ts"],
    [
      {
        breaks: "a job is sent again where the waiting one was fetched meanwhile",
        find: "if (rows.length > 0) return;",
        replace: "return;",
      },
    ],
  ),
  ...mutants(
    "storage/runs/message-runs.ts",
    ["test/storage/runs"],
    [
      {
        breaks: "a lease that ran out does not count as held",
        find: "owner is not null and expires_at > clock_timestamp())",
        replace: "owner is not null)",
      },
    ],
  ),
  ...mutants(
    "storage/runs/roll-back-turn.ts",
    ["test/storage/runs"],
    [
      {
        breaks: "a turn that is rolled back leaves no journey",
        find: '["batches", "journeys"]',
        replace: '["batches"]',
      },
      {
        breaks: "rolling a turn back leaves other branches alone",
        find: "turn = $2 and is_current returning 1",
        replace: "turn = $2 returning 1",
      },
    ],
  ),
  ...mutants(
    "server/access/jwt.ts",
    ["test/server/access"],
    [
      {
        breaks: "a token without an end is rejected",
        find: 'requiredClaims: ["sub", "exp"]',
        replace: 'requiredClaims: ["sub"]',
      },
      {
        breaks: "a token for another audience is rejected",
        find: "        audience: settings.audience,\n",
        replace: "",
      },
      {
        breaks: "a token is rejected a minute after its end",
        find: "const CLOCK_TOLERANCE_SECONDS = 30;",
        replace: "const CLOCK_TOLERANCE_SECONDS = 300;",
      },
    ],
  ),
  ...mutants(
    "server/access/authenticate.ts",
    ["test/server/access"],
    [
      {
        breaks: "an x-api-key of another service does not hide the bearer token",
        find: "if (KEY.test(key)) return",
        replace: 'if (key !== "") return',
      },
    ],
  ),
  ...mutants(
    "server/access/guard.ts",
    ["test/server/access"],
    [
      {
        breaks: "without authentication no proxy is answered",
        find: "      assertNoProxy(context);\n",
        replace: "",
      },
      {
        breaks: "one of the headers by which a proxy names itself is enough",
        find: "FORWARDED.some(",
        replace: "FORWARDED.every(",
      },
      {
        breaks: "an origin that only begins like the server's own is refused",
        find: "if (origin === `http://${readHost(context)}`) return;",
        replace: "if (origin.startsWith(`http://${readHost(context)}`)) return;",
      },
    ],
  ),
  ...mutants(
    "server/access/loopback.ts",
    ["test/server/access"],
    [
      {
        breaks: "a name that only ends like localhost is refused",
        find: 'name.endsWith(".localhost")',
        replace: 'name.endsWith("localhost")',
      },
    ],
  ),
  ...mutants(
    "server/access/client-address.ts",
    ["test/server/access"],
    [
      {
        breaks: "of forwarded addresses the last one counts, which the trusted proxy wrote",
        find: "hops.pop()",
        replace: "hops.shift()",
      },
      {
        breaks: "an IPv6 network of 64 bits is one client",
        find: "parsed.toByteArray().slice(0, 8)",
        replace: "parsed.toByteArray()",
      },
    ],
  ),
  ...mutants(
    "server/limits/limit-callers.ts",
    ["test/server/limits"],
    [
      {
        breaks: "a batch of runs counts in the limit of runs",
        find: "(?:\\/stream|\\/wait|\\/batch)?",
        replace: "(?:\\/stream|\\/wait)?",
      },
      {
        breaks: "requests without a valid key are counted by address",
        find: "    if (caller === null) {\n      await addresses.consume(address);\n",
        replace: "    if (caller === null) {\n",
      },
    ],
  ),
  ...mutants(
    "server/limits/rate-limit.ts",
    ["test/server/limits"],
    [
      {
        breaks: "whoever guesses keys is stopped at the limit, not one later",
        find: "state.consumedPoints < perMinute",
        replace: "state.consumedPoints <= perMinute",
      },
    ],
  ),
  ...mutants(
    "server/limits/read-body.ts",
    ["test/server/limits", "test/server/bad-input.test.ts"],
    [
      {
        breaks: "an escaped quote does not end a text whose values are counted",
        find: 'if (character === "\\\\") index += 1;\n      else if (character',
        replace: "if (character",
      },
      {
        breaks: "a body in chunks is limited as a whole",
        find: "if (bytes > limits.bodyBytes)",
        replace: "if (value.byteLength > limits.bodyBytes)",
      },
      {
        breaks: "a body may have as many bytes as the limit says",
        find: "Number(length) > limits.bodyBytes",
        replace: "Number(length) >= limits.bodyBytes",
      },
      {
        breaks: "a body may be as deep as the limit says",
        find: "depth > DEEPEST",
        replace: "depth >= DEEPEST",
      },
    ],
  ),
  ...mutants(
    "server/stream/run-feed.ts",
    ["test/server/stream"],
    [
      {
        breaks: "a reading that began before a notification is not shared after it",
        find: "      reads.clear();\n",
        replace: "",
      },
      {
        breaks: "the end of a run comes after the last batch of its events",
        find: "isEnded(run.status) && events.length < BATCH",
        replace: "isEnded(run.status)",
      },
      {
        breaks: "a reading is shared by one user's streams only",
        find: "const key = `${after}/${userId}`;",
        replace: "const key = `${after}`;",
      },
      {
        breaks: "a notification during a reading is not lost",
        find: "      if (isCalled) return;\n",
        replace: "",
      },
    ],
  ),
  ...mutants(
    "server/stream/open-streams.ts",
    ["test/server/stream"],
    [
      {
        breaks: "a user has no more streams open than allowed",
        find: "(countOf.get(userId) ?? 0) >= perUser",
        replace: "(countOf.get(userId) ?? 0) > perUser",
      },
      {
        breaks: "a client that reads slowly is not dropped",
        find: "        missedBeats = 0;\n",
        replace: "",
      },
      {
        breaks: "a stream that is opened while the server stops ends at once",
        find: "      if (stopping.aborted) stream.close();\n",
        replace: "",
      },
    ],
  ),
  ...mutants(
    "server/stream/cut-on-failure.ts",
    ["test/server/stream", "test/server/listen.test.ts"],
    [
      {
        breaks: "a stream that fails does not look complete",
        find: "          cut();",
        replace: "          controller.close();",
      },
    ],
  ),
  ...mutants("output-filter/mark-code.ts", FILTERS, [
    {
      breaks: "a longer code fence closes one too",
      find: "mark.length >= fence.length",
      replace: "mark.length === fence.length",
    },
  ]),
  ...mutants("output-filter/post-process.ts", FILTERS, [
    {
      breaks: "one blank at the end of a line is no line break",
      find: 'blanks.startsWith("  ")',
      replace: 'blanks.startsWith(" ")',
    },
  ]),
  ...mutants("output-filter/claim-citations.ts", FILTERS, [
    {
      breaks: "a citation in inline code stays",
      find: "return !inCode && canGo(",
      replace: "return canGo(",
    },
  ]),
  ...mutants("output-filter/detect-machinery-leakage.ts", FILTERS, [
    {
      breaks: "a word of another trade excuses its own sentence only",
      find: "unless?.test(sentenceAround(prose, { start, end }))",
      replace: "unless?.test(prose)",
    },
    {
      breaks: "places that touch are two leaks",
      find: "each.start >= last.end",
      replace: "each.start > last.end",
    },
  ]),
  ...mutants("output-filter/meta-query.ts", FILTERS, [
    {
      breaks: "a typographic apostrophe is read like a plain one",
      find: `    .replace(/[‘’]/gu, "'")\n`,
      replace: "",
    },
  ]),
  ...mutants("output-filter/meta-response.ts", FILTERS, [
    {
      breaks: "only what at least half stood behind is reported as shared",
      find: "claims.filter(({ strong }) => strong).toSorted(bySupport)",
      replace: "claims.toSorted(bySupport)",
    },
    {
      breaks: "what most stood behind comes first",
      find: "return b.support - a.support;",
      replace: "return a.support - b.support;",
    },
  ]),
];
