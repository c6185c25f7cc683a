import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { filesOfSuites, pathOf, SUITES, testFiles } from './support/suites.ts';

/*
 * Runs the tests: `node tests/run.ts [fast] [--coverage] [PART OF A PATH]...`. With parts of paths only those files run, each
 * in a process of its own.
 */

const { values, positionals } = parseArgs({ allowPositionals: true, options: { coverage: { type: 'boolean' } } });

function filesToRun(): string[] {
  if (positionals[0] === 'fast') return suites().filter((file) => file.includes('/fast-'));
  if (positionals.length > 0) {
    return testFiles()
      .filter((file) => positionals.some((part) => file.includes(part)))
      .map(pathOf);
  }
  const together = new Set([...filesOfSuites()].flatMap(([name, files]) => (name in SUITES ? files : [])));
  // The suites take longest, so they begin first.
  return [
    ...suites(),
    ...testFiles()
      .filter((file) => !together.has(file))
      .map(pathOf),
  ];
}

function suites(): string[] {
  return Object.keys(SUITES).map((name) => pathOf(`suites/${name}.ts`));
}

const files = filesToRun();
if (files.length === 0) throw new Error(`no test file has ${positionals.join(' or ')} in its path`);
const stream = run({ files, concurrency: 3, coverage: values.coverage ?? false, coverageIncludeGlobs: ['src/**'] });
stream.on('test:fail', () => {
  process.exitCode = 1;
});
stream.compose(new spec()).pipe(process.stdout);
