import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const LOADER = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
await import(process.argv[1]);
process.stdout.write(JSON.stringify(loaded));
`;

/** The packages that a source file loads, with all that it imports. */
async function packagesOf(file: string): Promise<string[]> {
  const url = new URL(`../../src/${file}`, import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', LOADER, url]);
  const packages = (JSON.parse(stdout) as string[]).flatMap(
    (one) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(one)?.[1] ?? [],
  );
  return [...new Set(packages)].sort();
}

test('ownership: loading it loads no store, only the file lock', async () => {
  assert.deepEqual(await packagesOf('ownership/ownership.ts'), ['better-sqlite3']);
});

test('main: loading it loads no command', async () => {
  assert.deepEqual(await packagesOf('main.ts'), ['commander']);
});

test('commands: the options that all of them share load no store', async () => {
  const packages = await packagesOf('commands/input/options.ts');
  assert.deepEqual(
    packages.filter((name) => /sqlite|kysely|duckdb/.test(name)),
    [],
  );
});
