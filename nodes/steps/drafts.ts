import type { DraftContent } from "../../domain/changes/draft-changes.ts";
import { createRefBook } from "../../registry/ref-book.ts";
import type { Registry } from "../../state/registry.ts";
import type { Artifact } from "../../state/step.ts";
import { ToolInputError, UnknownRefError } from "../../state/tool.ts";
import type { NodeServices } from "../node.ts";

/** A draft's whole content, or what is wrong with it as a sentence that goes back to the model. */
export type DraftReading =
  | { readonly kind: "content"; readonly content: DraftContent }
  | { readonly kind: "wrong"; readonly problem: string };

interface DraftContext {
  readonly registry: Registry;
  readonly toolbox: NodeServices["toolbox"];
}

/** Reads an artifact over the draft it changes: a draft must be savable as it stands. */
export function readArtifact(artifact: Artifact, facts: DraftContext): DraftReading {
  const refs = createRefBook(facts.registry);
  const { ref, type } = artifact;
  try {
    const known = ref === null ? null : refs.resolve(ref);
    if (known !== null && known.draft === null) {
      return { kind: "wrong", problem: `"${ref}" is not a draft; change it in a write step` };
    }
    const values = facts.toolbox.readDraft(artifact, { before: known?.draft ?? null, refs });
    return { kind: "content", content: { type, ref, values } };
  } catch (error) {
    return { kind: "wrong", problem: messageForModel(error) };
  }
}

/** The message of an error that a model can put right. @throws every other error as it is. */
export function messageForModel(error: unknown): string {
  if (error instanceof ToolInputError || error instanceof UnknownRefError) return error.message;
  throw error;
}
