/**
 * Names that migrations had before they were numbered anew, and what they are called since. Their content never differed,
 * so a database that applied one under its former name has it. Names are frozen by a test now: nothing is added here.
 */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  "0015_retention.sql": "0016_retention.sql",
  "0018_worker_pulse.sql": "0019_worker_pulse.sql",
  "0020_trunk_turns.sql": "0021_trunk_turns.sql",
  "0022_scenarios.sql": "0023_scenarios.sql",
  "0022_usage.sql": "0024_usage.sql",
  "0023_usage.sql": "0024_usage.sql",
  "0023_repeated_by_members.sql": "0025_repeated_by_members.sql",
  "0024_repeated_by_members.sql": "0025_repeated_by_members.sql",
  "0024_published_revision.sql": "0026_published_revision.sql",
  "0025_published_revision.sql": "0026_published_revision.sql",
  "0024_disclosure.sql": "0027_disclosure.sql",
  "0022_model_providers.sql": "0028_model_providers.sql",
  "0023_model_providers.sql": "0028_model_providers.sql",
  "0027_model_providers.sql": "0028_model_providers.sql",
};

export const FORMER_MIGRATION_NAMES = Object.keys(FORMER_NAMES);

export function presentMigrationName(name: string): string {
  return FORMER_NAMES[name] ?? name;
}
