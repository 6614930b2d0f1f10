/** Takes the place of every pattern function in a run without them: see CONTRIBUTING. */
function refuse(): never {
  throw new Error("Cannot read a message by patterns: this run is to do without them");
}

export const isMetaQuery = refuse;
export const readMetaKind = refuse;
export const readPlanActions = refuse;
