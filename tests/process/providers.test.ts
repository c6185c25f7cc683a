import assert from 'node:assert/strict';
import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { SEALING_KEYS_FILE } from '../../src/storage/installation/names.ts';
import { temporaryDirectory } from '../support/app.ts';
import { newDataDirectory, runProgram } from '../support/process.ts';
import { definition } from '../support/providers.ts';
import { rareTest } from '../support/rare.ts';
import { runJson } from '../support/shell.ts';

const SECRET = 'sk-this-is-the-secret';

async function apply(t: TestContext, dataDir: string, input: unknown, ...args: string[]): Promise<void> {
  const file = join(temporaryDirectory(t), 'providers.json');
  writeFileSync(file, JSON.stringify(input));
  await runJson(dataDir, 'providers', 'apply', file, ...args);
}

async function doctor(t: TestContext, dataDir: string, environment: Record<string, string> = {}) {
  const { code, stdout } = await runProgram(t, ['doctor', '--json', '--data-dir', dataDir], { environment });
  assert.ok(!stdout.includes(SECRET), stdout);
  const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string; message: string }[] };
  const of = (name: string) =>
    findings.filter(({ check }) => check === name).map(({ status, message }) => `${status}: ${message}`);
  return { code, keys: of('provider keys'), configuration: of('provider configuration'), ring: of('sealing keys') };
}

rareTest('doctor: lists provider keys, providers, and what they lack', async (t) => {
  const dataDir = newDataDirectory(t);
  const none = await doctor(t, dataDir, { OPENAI_API_KEY: '', GROQ_API_KEY: SECRET });
  assert.deepEqual([none.code, none.keys], [0, ['ok: GROQ_API_KEY (groq): they serve every tenant']]);
  await runJson(dataDir, 'tenants', 'create', 'acme');
  assert.deepEqual((await doctor(t, dataDir)).configuration, ['ok: no provider is defined']);
  await apply(t, dataDir, [
    definition({ name: 'a', apiKey: SECRET }),
    definition({ name: 'b', apiKey: { env: 'KEY_OF_B' } }),
  ]);
  await apply(t, dataDir, definition({ headers: { 'x-a': SECRET } }), '--tenant', 'acme');
  const counts = 'ok: providers by tenant: acme 1, default 2';
  const whole = await doctor(t, dataDir, { KEY_OF_B: SECRET });
  assert.deepEqual([whole.code, whole.configuration], [0, [counts]]);
  const unset = await doctor(t, dataDir);
  assert.deepEqual(
    [unset.code, unset.configuration],
    [
      0,
      [
        counts,
        'warning: b of tenant default, apiKey: the environment variable KEY_OF_B is not set. The server may have another environment than this command: see that it is set there',
      ],
    ],
  );
});

rareTest('doctor: reports secrets that do not open: key missing, or key ring damaged', async (t) => {
  const dataDir = newDataDirectory(t);
  await apply(t, dataDir, [definition({ name: 'a', apiKey: SECRET, headers: { 'x-a': SECRET } })]);
  const mend = 'Put back sealing-keys.json, or the AGENT_RUNTIME_SECRET_KEY from before, or apply the definition again';
  const failures = (problem: string) =>
    ['apiKey', 'headers.x-a'].map((field) => `failed: a of tenant default, ${field}: ${problem}. ${mend}`);
  const path = join(dataDir, SEALING_KEYS_FILE);
  renameSync(path, `${path}.moved`);
  const none = await doctor(t, dataDir);
  const another = 'the stored secret was sealed with another key than those in sealing-keys.json';
  assert.deepEqual([none.code, none.configuration.slice(1)], [1, failures(another)]);
  assert.match(none.ring[0]!, /^failed: sealing-keys\.json is missing, though 2 stored secrets need its keys\./);
  writeFileSync(path, 'short');
  chmodSync(path, 0o600);
  const damaged = await doctor(t, dataDir);
  const unreadable = 'the stored secret needs sealing-keys.json, which cannot be read';
  assert.deepEqual(damaged.configuration.slice(1), failures(unreadable));
  assert.match(damaged.ring[0]!, /^failed: .*sealing-keys\.json is not a key ring/);
  renameSync(`${path}.moved`, path);
  chmodSync(path, 0o644);
  assert.match((await doctor(t, dataDir)).ring[1]!, /is open to other users \(mode 644\); run chmod 600/);
  chmodSync(path, 0o600);
  const sound = await doctor(t, dataDir);
  assert.equal(sound.code, 0);
  assert.match(sound.ring.join(), /^ok: \S{8} \(active, of 20\d\d-\d\d-\d\d\) has sealed 2 secrets$/);
});
