/** Patterns of clauses that ask, await or deny, and so confirm nothing. */
const NOT_CONFIRMED =
  /\b(?:not|never|cannot|nearly|almost|until|if|when|once|is step|are we|[a-z]+n['’]t)\b|\?/iu;

/** Lists the clauses of a message that ask, await and deny nothing. Linear, total, English. */
export function listConfirmingClauses(message: string): readonly string[] {
  return listClauses(message).filter((clause) => !NOT_CONFIRMED.test(clause));
}

/** Ends of clauses: what is denied or asked on one side of them says nothing of the other. */
const BREAK = /(?<=[.!?;\n])|(?=¿)|,| [-–—] |\b(?:but|though|although|because)\b/iu;

/** Lists the clauses of a message, in their order. */
export function listClauses(message: string): readonly string[] {
  return message.split(BREAK).filter((clause) => clause.trim() !== "");
}
