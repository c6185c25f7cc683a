import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInstalled } from './child.ts';
import type { Cleanups } from './cleanups.ts';
import { type Check, type Comparison, compare, type Results, readExpectedFailures } from './expected-failures.ts';
import type { Report } from './report.ts';

export const SUITE = new URL('../../node_modules/.bin/conformance', import.meta.url);

/** The revisions of the protocol that the suite has requirements for. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** Runs every requirement of a revision; results stay in `directory`. */
export async function runOfficialSuite(
  cleanups: Cleanups,
  url: string,
  revision: Revision,
  directory: string,
): Promise<Report> {
  const list = listOf(revision);
  const results = join(directory, revision);
  mkdirSync(results);
  const { code, stdout, stderr } = await runInstalled(
    cleanups,
    SUITE,
    ['server', '--url', url, '--requirements', revision, '--expected-failures', list, '--output-dir', results],
    directory,
  );
  writeFileSync(join(directory, `${revision}.log`), stdout + stderr);
  const found = readResults(results);
  return reportOf(revision, found.size, compare(found, readExpectedFailures(list)), code);
}

/** Of the extensions that the server declares; no revision requires them. */
const EXTENSION_SCENARIOS = ['sep-2640-skills-enumeration', 'sep-2640-skills-manifest', 'sep-2640-skills-directory'];

export async function runExtensionScenarios(cleanups: Cleanups, url: string, directory: string): Promise<Report> {
  const results = join(directory, 'extensions');
  mkdirSync(results);
  let exitCode: number | null = 0;
  for (const scenario of EXTENSION_SCENARIOS) {
    const args = ['server', '--url', url, '--scenario', scenario, '--output-dir', results];
    const { code, stdout, stderr } = await runInstalled(cleanups, SUITE, args, directory);
    appendFileSync(join(directory, 'extensions.log'), stdout + stderr);
    exitCode ||= code;
  }
  const found = readResults(results);
  const comparison = compare(found, readExpectedFailures(listOf('extensions')));
  // The suite knows no list for single scenarios: an expected failure gives it an exit code, too.
  return reportOf('extensions', found.size, comparison, comparison.expected > 0 ? 0 : exitCode);
}

function listOf(set: Revision | 'extensions'): string {
  return fileURLToPath(new URL(`expected-failures-${set}.yml`, import.meta.url));
}

/** The suite keeps each scenario in a directory named after the scenario and the time. */
export function readResults(directory: string, kind = 'server'): Results {
  const results = new Map<string, Check[]>();
  for (const name of readdirSync(directory)) {
    const scenario = new RegExp(`^(?:${kind}-)?(.+)-\\d{4}-\\d\\d-\\d\\dT[\\d-]+Z$`).exec(name)?.[1];
    if (scenario === undefined) throw new Error(`The suite keeps results in a way that is not known here: ${name}`);
    results.set(scenario, JSON.parse(readFileSync(join(directory, name, 'checks.json'), 'utf8')) as Check[]);
  }
  return results;
}

function reportOf(
  set: Revision | 'extensions',
  scenarios: number,
  comparison: Comparison,
  exitCode: number | null,
): Report {
  const { passed, expected, unexpected, stale, untested } = comparison;
  const problems = [
    ...unexpected.map(({ scenario, check }) => describe(scenario, check)),
    ...stale.map((entry) => `${entry}: excuses no failure. Remove it from expected-failures-${set}.yml.`),
  ];
  // The exit code also covers scenarios that failed without a result.
  if (exitCode !== 0 && problems.length === 0) problems.push(`the suite ended with ${exitCode}; see ${set}.log`);
  return {
    suite: `Official suite, ${set}`,
    ran: `${scenarios} scenarios`,
    passed,
    expected,
    problems,
    notes: untested.length === 0 ? [] : [`nothing to look at here: ${untested.join(', ')}`],
  };
}

function describe(scenario: string, { id, status, description, errorMessage, specReferences = [] }: Check): string {
  const references = specReferences.map(({ url }) => url);
  const lines = [`${scenario}:${id} (${status}): ${description}`, errorMessage, ...references];
  return lines.filter(Boolean).join('\n');
}
