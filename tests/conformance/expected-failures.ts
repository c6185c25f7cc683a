import { readFileSync } from 'node:fs';

/** One result of the official suite. */
export interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  description: string;
  errorMessage?: string;
  specReferences?: { url?: string }[];
}

/** The checks of each scenario that ran. */
export type Results = ReadonlyMap<string, readonly Check[]>;

export interface Comparison {
  passed: number;
  expected: number;
  unexpected: { scenario: string; check: Check }[];
  /** Entries that excuse no failure. */
  stale: string[];
  /** Scenarios without any check. */
  untested: string[];
}

/**
 * Validates every message against the protocol's schema: a missing fixture excuses no invalid
 * message.
 */
const WIRE_SCHEMA = 'wire-schema-valid';

/**
 * The entries of a list in the suite's format: `scenario`, or `scenario:check-id` for one check.
 */
export function readExpectedFailures(file: string): string[] {
  return Array.from(readFileSync(file, 'utf8').matchAll(/^ *- *([\w:-]+)/gm), ([, entry = '']) => entry);
}

/**
 * Stricter than the suite's own comparison: scenarios that it does not score count too, an entry is
 * stale unless it excuses a failure, and an entry for a scenario does not cover the message schema.
 */
export function compare(results: Results, entries: readonly string[]): Comparison {
  const excusing = new Set<string>();
  const comparison: Comparison = { passed: 0, expected: 0, unexpected: [], stale: [], untested: [] };
  for (const [scenario, checks] of results) {
    for (const check of checks) {
      if (check.status === 'SUCCESS') comparison.passed++;
      if (!hasFailed(check)) continue;
      const entry = entries.find(
        (entry) => entry === `${scenario}:${check.id}` || (entry === scenario && check.id !== WIRE_SCHEMA),
      );
      if (entry === undefined) comparison.unexpected.push({ scenario, check });
      else {
        comparison.expected++;
        excusing.add(entry);
      }
    }
    if (!checks.some((check) => check.status === 'SUCCESS' || hasFailed(check))) comparison.untested.push(scenario);
  }
  comparison.stale = entries.filter((entry) => !excusing.has(entry));
  return comparison;
}

function hasFailed({ status }: Check): boolean {
  return status === 'FAILURE' || status === 'WARNING';
}
