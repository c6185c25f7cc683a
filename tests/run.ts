import { readFileSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { filesOfSuites, pathOf, SUITES, testFiles } from './support/suites.ts';

/*
 * Runs the tests: `node tests/run.ts [fast | rare | nodes | postgres] [--coverage] [PART OF A PATH]...`. `fast` runs the
 * suites that need neither processes nor servers, `rare` the tests that `npm test` leaves out, `nodes` and `postgres` those
 * of REST, MCP and access over that back end. With parts of paths only those files run, each in a process of its own.
 */

const { values, positionals } = parseArgs({ allowPositionals: true, options: { coverage: { type: 'boolean' } } });
const isRare = positionals[0] === 'rare';
if (isRare) process.env.SOAK = '1';

/** The suites whose tests ask a whole app over the network. */
const OF_ADAPTERS = /^(tools|http.*|single-sign-on)$/;
const onNodes = positionals[0] === 'nodes';
if (onNodes) process.env.TEST_BACKEND = 'nodes';

function filesToRun(): string[] {
  if (isRare) return rareFiles();
  if (positionals[0] === 'fast') return suites(/^fast-/);
  if (onNodes) return suites(OF_ADAPTERS);
  if (positionals.length > 0) return matching(positionals).map(pathOf);
  const together = new Set([...filesOfSuites()].flatMap(([name, files]) => (name in SUITES ? files : [])));
  const alone = testFiles().filter((file) => !together.has(file));
  // The suites take longest, so they begin first.
  return [...suites(), ...alone.map(pathOf)];
}

function suites(wanted = /./): string[] {
  const names = Object.keys(SUITES).filter((name) => wanted.test(name));
  return names.map((name) => pathOf(`suites/${name}.ts`));
}

function rareFiles(): string[] {
  const parts = positionals.slice(1);
  return matching(parts.length > 0 ? parts : [''])
    .map(pathOf)
    .filter((file) => /\brare(Browser)?Test\b/.test(readFileSync(file, 'utf8')));
}

function matching(parts: string[]): string[] {
  return testFiles().filter((file) => parts.some((part) => file.includes(part)));
}

const files = filesToRun();
if (files.length === 0) throw new Error(`no test file has ${positionals.join(' or ')} in its path`);
const stream = run({
  files,
  concurrency: isRare ? 2 : 4,
  only: isRare,
  coverage: values.coverage ?? false,
  coverageIncludeGlobs: ['src/**'],
});
stream.on('test:fail', () => {
  process.exitCode = 1;
});
stream.compose(new spec()).pipe(process.stdout);
