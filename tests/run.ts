import { readFileSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { ENGINES_ALONE, filesOfSuites, OF_ENGINES, pathOf, SUITES, testFiles } from './support/suites.ts';
import { appendSummary } from './support/summary.ts';

/*
 * Runs the tests: `node tests/run.ts [fast | rare | soak | engines | nodes] [--coverage] [PART OF A PATH]...`. `fast` runs
 * the suites that need neither processes nor servers, `rare` the tests that are too slow or rare for `npm test`, `soak`
 * random ones for minutes each, `engines` the contracts on PostgreSQL, ClickHouse and S3, `nodes` REST, MCP and access
 * over them. With parts of paths only those files run, each in a process of its own. `TEST_SUMMARY` names a file to
 * which a summary in Markdown is appended.
 */

const { values, positionals } = parseArgs({ allowPositionals: true, options: { coverage: { type: 'boolean' } } });
const isRare = positionals[0] === 'rare';
const isSoak = positionals[0] === 'soak';
if (isRare) process.env.SOAK = '1';

/** The suites whose tests ask a whole app over the network. */
const OF_ADAPTERS = /^(tools|http.*|single-sign-on)$/;
const onNodes = positionals[0] === 'nodes';
if (onNodes) process.env.TEST_BACKEND = 'nodes';
const onEngines = positionals[0] === 'engines';
if (positionals.length === 0) process.env.TEST_ENGINES = 'files';

function filesToRun(): string[] {
  if (isRare) return rareFiles();
  if (isSoak) return matching(partsAfterTier(), '.soak.ts').map(pathOf);
  if (positionals[0] === 'fast') return suites((name) => name.startsWith('fast-'));
  if (onNodes) return suites((name) => OF_ADAPTERS.test(name));
  if (onEngines) return [...suites((name) => name === 'state' || OF_ENGINES.test(name)), ...alone(ENGINES_ALONE)];
  if (positionals.length > 0) return matching(positionals).map(pathOf);
  // The suites take longest, so they begin first.
  return [...suites((name) => !OF_ENGINES.test(name)), ...alone().filter((file) => !ENGINES_ALONE.test(file))];
}

/** Files that belong to no suite. */
function alone(wanted = /./): string[] {
  const together = new Set([...filesOfSuites()].flatMap(([name, files]) => (name in SUITES ? files : [])));
  return testFiles()
    .filter((file) => !together.has(file) && wanted.test(file))
    .map(pathOf);
}

function suites(isWanted: (name: string) => boolean): string[] {
  const names = Object.keys(SUITES).filter(isWanted);
  return names.map((name) => pathOf(`suites/${name}.ts`));
}

function rareFiles(): string[] {
  return matching(partsAfterTier())
    .map(pathOf)
    .filter((file) => /\brare(Browser)?Test\b/.test(readFileSync(file, 'utf8')));
}

function partsAfterTier(): string[] {
  return positionals.length > 1 ? positionals.slice(1) : [''];
}

function matching(parts: string[], ending?: string): string[] {
  return testFiles(ending).filter((file) => parts.some((part) => file.includes(part)));
}

const files = filesToRun();
if (files.length === 0) throw new Error(`no test file has ${positionals.join(' or ')} in its path`);
const stream = run({
  files,
  concurrency: isSoak ? 1 : isRare ? 2 : 4,
  only: isRare,
  coverage: values.coverage ?? false,
  coverageIncludeGlobs: ['src/**'],
});
stream.on('test:fail', () => {
  process.exitCode = 1;
});
const { TEST_SUMMARY } = process.env;
if (TEST_SUMMARY) appendSummary(stream, ['test', ...positionals].join(' '), TEST_SUMMARY);
stream.compose(new spec()).pipe(process.stdout);
