import { JsonObjectSchema, type JsonObject } from "../../state/json.ts";
import type { ModelProfileStore } from "../../state/model.ts";
import { learn, type Observation, type Tally } from "./learn.ts";
import {
  copyTraits,
  forgetOldLessons,
  mergeProfiles,
  ModelProfileSchema,
  setTraits,
  type ModelProfile,
  type ProfileTraits,
} from "./profile.ts";

/** Collaborators of a keeper. */
export interface ProfileKeeperOptions {
  /** The profile as it is assumed and known by name. */
  readonly start: ModelProfile;
  /** Fields that a person has set: they hold in this process, and are not stored. */
  readonly settings: Partial<ProfileTraits>;
  /** Remembers lessons beyond this process; null for none. */
  readonly store: ModelProfileStore | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Takes what cannot be stored: asking a model never fails by it. */
  readonly onError: (error: unknown) => void;
}

/** Knows what one model at one endpoint can do, and remembers what it learns. */
export class ProfileKeeper {
  private readonly options: ProfileKeeperOptions;
  /** Without the settings. */
  private found: ModelProfile;
  private known: ModelProfile;
  private tally: Tally = {};
  private loading: Promise<void> | null = null;
  private saving: Promise<void> = Promise.resolve();

  constructor(options: ProfileKeeperOptions) {
    this.options = options;
    this.found = options.start;
    this.known = this.applySettings();
  }

  /** The profile as it is known now. */
  get current(): ModelProfile {
    return this.known;
  }

  /** Resolves once what earlier processes have learned is known. */
  ready(): Promise<void> {
    return (this.loading ??= this.load());
  }

  /** Learns from an observation; returns what has changed in a sentence, null where nothing has. */
  observe(observation: Observation): string | null {
    const { tally } = this;
    const { start } = this.options;
    const lesson = learn(this.current, observation, { tally, start, at: this.time() });
    this.tally = lesson.tally;
    if (lesson.learned !== null) this.merge(lesson.profile);
    return lesson.learned;
  }

  /** Takes over what a call or a probe has found out; settings stay apart. */
  merge(found: ModelProfile): void {
    this.found = mergeProfiles(
      this.found,
      copyTraits(found, this.found, ({ source }) => source === "set"),
    );
    this.known = this.applySettings();
    this.saving = this.saving.then(() => this.save());
  }

  /** Resolves once everything learned so far is stored. */
  stored(): Promise<void> {
    return this.saving;
  }

  private async load(): Promise<void> {
    const { store, onError } = this.options;
    if (store === null) return;
    try {
      const stored = this.readStored(await store.load(this.found));
      if (stored === null) {
        // The dialect is remembered, for a start at which the server does not answer in time.
        if (this.options.start.dialect === "ollama") await this.save();
        return;
      }
      this.found = mergeProfiles(this.found, stored);
      this.known = this.applySettings();
    } catch (error) {
      onError(error);
    }
  }

  private async save(): Promise<void> {
    const { store, onError } = this.options;
    if (store === null) return;
    try {
      await store.update(this.found, (value) => {
        const stored = this.readStored(value);
        return JsonObjectSchema.parse(
          stored === null ? this.found : mergeProfiles(this.found, stored),
        );
      });
    } catch (error) {
      onError(error);
    }
  }

  /**
   * A stored profile that this version cannot read, or of another dialect, counts as none. A field
   * that an earlier version did not know is that of the start.
   */
  private readStored(value: JsonObject | null): ModelProfile | null {
    if (value === null) return null;
    const { start, now } = this.options;
    const read = ModelProfileSchema.safeParse({ ...start, ...value });
    return read.success && read.data.dialect === start.dialect
      ? forgetOldLessons(read.data, { start, now: now() })
      : null;
  }

  private applySettings(): ModelProfile {
    const evidence = { source: "set", at: this.time(), reason: "by a setting" } as const;
    return setTraits(this.found, this.options.settings, evidence);
  }

  /** ISO 8601 in UTC. */
  private time(): string {
    return new Date(this.options.now()).toISOString();
  }
}
