import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ShownModelProvider } from '../../src/core/agents/providers/service.ts';
import { temporaryDirectory } from '../support/app.ts';
import { newDataDirectory, runProgram } from '../support/process.ts';
import { definition } from '../support/providers.ts';
import { runCommand, runJson } from '../support/shell.ts';

const SECRET = 'sk-this-is-the-secret';

/** The command on a data directory; what is given besides arguments is its standard input. */
function runner(dataDir: string) {
  return async (args: string[], input?: unknown) => {
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    const options = input === undefined ? {} : { input: text };
    const ending = await runCommand(['providers', ...args, '--data-dir', dataDir], options);
    assert.ok(!`${ending.stdout}${ending.stderr}`.includes(SECRET), `${ending.stdout}${ending.stderr}`);
    return ending;
  };
}

test('providers: apply from a file or standard input, list and remove', async (t) => {
  const dataDir = newDataDirectory(t);
  const run = runner(dataDir);
  const file = join(temporaryDirectory(t), 'providers.json');
  const a = definition({ name: 'a', apiKey: SECRET, headers: { 'x-a': SECRET }, timeout: 5 });
  const fallbacks = [{ provider: 'custom', providerName: 'a', model: 'm' }];
  // As some editors write it.
  writeFileSync(file, `\uFEFF${JSON.stringify({ providers: [a, definition({ name: 'b', fallbacks })] })}`);
  const first = await run(['apply', file]);
  assert.equal(
    first.stdout,
    `NAME  OUTCOME\na     created\nb     created\nA server that runs on ${dataDir} uses this within a second.\n`,
  );
  const [again, changed] = [await run(['apply', file]), await run(['apply', '-', '--json'], { ...a, timeout: 6 })];
  assert.equal(again.stdout, 'NAME  OUTCOME\na     unchanged\nb     unchanged\n');
  assert.deepEqual(JSON.parse(changed.stdout), { tenant: 'default', providers: [{ name: 'a', outcome: 'changed' }] });

  const [table, { providers }] = await Promise.all([run(['list']), runJson(dataDir, 'providers', 'list')]);
  assert.match(table.stdout, /^NAME +PROVIDER +BASE URL +KEY +FALLBACKS +CHANGED\n/);
  assert.match(table.stdout, /\na +custom +https:\/\/models\.example\.com\/v1 +set +- +20/);
  assert.match(table.stdout, /\nb +custom +https:\/\/models\.example\.com\/v1 +- +a +20/);
  const [shown] = providers as ShownModelProvider[];
  assert.deepEqual([shown!.apiKey, shown!.headers, shown!.timeout], ['set', { 'x-a': 'set' }, 6]);

  const held = await run(['remove', 'a']);
  assert.deepEqual(
    [held.code, held.stderr],
    [1, 'error: Provider "a" is needed: "b" falls back on it. Change that first.\n'],
  );
  assert.equal((await run(['remove', 'b'])).stdout, 'Removed b.\n');
  assert.deepEqual(await runJson(dataDir, 'providers', 'remove', 'a'), { tenant: 'default', removed: 'a' });
  assert.deepEqual(await runJson(dataDir, 'providers', 'list'), { providers: [] });
});

test('providers apply: invalid definitions are reported without secrets, none applied', async (t) => {
  const dataDir = newDataDirectory(t);
  const run = runner(dataDir);
  const good = definition();
  const cases: [string[], unknown, RegExp][] = [
    [['-'], `{"apiKey": "${SECRET}", }`, /^error: standard input: is not JSON \(line 1, column \d+\): the comma/],
    [['-'], { ...good, apiKey: '$OPENAI_API_KEY' }, /^error: provider "local": apiKey: is not looked up; /],
    [['missing.json'], undefined, /^error: There is no file missing\.json\.\n$/],
    [['-', '--tenant', 'nobody'], good, /^error: There is no tenant "nobody"/],
    [['-'], [good, { ...good, name: 'x', apiKey: `${SECRET}\n` }], /^error: provider "x": apiKey: must be printable/],
    [
      ['-'],
      { ...good, baseUrl: `https://u:${SECRET}@x.com` },
      /^error: provider "local": baseUrl: must not hold a user/,
    ],
    [
      ['-'],
      { ...good, headers: { [`a ${SECRET}`]: 'x' } },
      /^error: provider "local": headers: has a name that is none/,
    ],
    [['-'], { ...good, headers: { host: SECRET } }, /^error: provider "local": headers\.host: is the connection's own/],
  ];
  for (let index = 0; index < cases.length; index += 2) {
    const pair = cases.slice(index, index + 2).map(async ([args, input, message]) => {
      const { code, stdout, stderr } = await run(['apply', ...args, '--json'], input);
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.match(stderr.replace(/^There was no .*\n/, ''), message);
    });
    await Promise.all(pair);
  }
  const unknown = await run(['remove', 'lokal']);
  assert.match(unknown.stderr, /^error: name: there is no provider "lokal", nor any other/);
  assert.deepEqual(await runJson(dataDir, 'providers', 'list'), { providers: [] });
});

test('providers example: its output can be applied', async (t) => {
  const dataDir = newDataDirectory(t);
  const run = runner(dataDir);
  const [shown, json] = [
    await runProgram(t, ['providers', 'example']),
    await runProgram(t, ['providers', 'example', '--json']),
  ];
  assert.deepEqual(JSON.parse(json.stdout), JSON.parse(shown.stdout));
  const { code, stdout, stderr } = await run(['apply', '-'], shown.stdout);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^local +created$/m);
});
