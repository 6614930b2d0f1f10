/** The line of `## This Turn` where Understand gave no answer (models.md, section 2). */
export const UNREAD_LINE =
  "The message could not be analysed. Exclusions, restorations and lasting wishes in it were not stored: do not say they were.";
