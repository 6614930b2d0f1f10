import type { ExpertProfile } from "../state/batch.ts";

/** The experts that are asked where none are configured: one model under four views. */
export const DEFAULT_LENSES: readonly ExpertProfile[] = [
  {
    id: "role",
    lens: "You have done this for a living, many times. Say how it is done in practice, in which order, and what beginners get wrong.",
  },
  {
    id: "risk",
    lens: "You look for what goes wrong: the assumption that fails, the case nobody planned for, what cannot be undone. Say how to find out early and how to guard against it.",
  },
  {
    id: "cost",
    lens: "You count what it takes: money, hours, attention, and what has to be given up for it. Say what is worth its price and what is not.",
  },
  {
    id: "user",
    lens: "You take the side of the person who has to live with it, on their worst day as well. Say what they will keep up, what will wear them out, and what they may really want.",
  },
];
