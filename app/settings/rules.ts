import { limitsWith } from "../../state/limits.ts";
import { findRoleWithoutModel } from "../../models/config.ts";
import { readExperts } from "../../models/expert-config.ts";
import { modelNames } from "./model-names.ts";
import type { Environment } from "./setting.ts";
import type { SettingName, SettingValues } from "./settings.ts";

/** A condition between settings, blamed on one of them. */
export interface SettingRule {
  readonly setting: SettingName;
  /**
   * Returns the end of a sentence about the setting; null where the condition holds.
   * `environment` has every variable, since entries of experts name some of their own.
   */
  readonly findProblem: (values: SettingValues, environment: Environment) => string | null;
}

/** The conditions that a schema of one setting cannot judge. */
export const SETTING_RULES: readonly SettingRule[] = [
  {
    setting: "OPENAI_BASE_URL",
    findProblem: (values) => {
      const role = findRoleWithoutModel(modelNames(values));
      return role === null
        ? null
        : `has no model for "${role}"; set OPENAI_MODEL to a model that this endpoint serves`;
    },
  },
  {
    setting: "CONCIERGE_EXPERTS",
    findProblem: ({ CONCIERGE_EXPERTS: { value } }, environment) => {
      try {
        if (value !== null) readExperts(value, environment);
        return null;
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        return `cannot be used: ${error.message}`;
      }
    },
  },
  {
    setting: "CONCIERGE_AUTH",
    findProblem: (values) => {
      if (!values.CONCIERGE_AUTH.value.includes("jwt")) return null;
      const missing = JWT_SETTINGS.find((name) => values[name].value === null);
      return missing === undefined ? null : `needs ${missing}, which is not set; set it`;
    },
  },
  {
    setting: "CONCIERGE_KEEP_ARCHIVE_DAYS",
    findProblem: ({ CONCIERGE_KEEP_ARCHIVE_DAYS: { value }, CONCIERGE_LIMITS: limits }) => {
      const { repetitionDays } = limitsWith(limits.value);
      return value === null || value >= repetitionDays
        ? null
        : `must be at least the limit repetitionDays, which is ${repetitionDays} days; raise the one or lower the other`;
    },
  },
];

const JWT_SETTINGS = [
  "CONCIERGE_JWKS_URL",
  "CONCIERGE_JWT_ISSUER",
  "CONCIERGE_JWT_AUDIENCE",
] as const;
