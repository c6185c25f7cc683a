import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { SealedDefinition } from '../../src/core/agents/providers/secrets.ts';
import { providerDefinitions } from '../../src/core/agents/providers/service.ts';
import { findingsOfConnectors } from '../../src/doctor/connectors.ts';
import { findingsOfAddresses } from '../../src/doctor/providers.ts';
import { SEALING_KEYS_FILE } from '../../src/storage/installation/names.ts';
import { lookupOf } from '../outbound/support.ts';
import { temporaryDirectory } from '../support/app.ts';
import { connector, HOSTS, openConnectors, tablesOf } from '../support/connectors.ts';
import { definition } from '../support/providers.ts';
import { runCommand } from '../support/shell.ts';

const SECRET = 'sk-this-is-the-secret';
const LOOK = 'The server may have another environment than this command: see that it is set there';
const MEND = 'Put back sealing-keys.json, or the AGENT_RUNTIME_SECRET_KEY from before, or set the credential again';

/** What doctor says of a data directory, with an environment. */
async function doctor(dataDir: string, environment: Record<string, string> = {}, secretKey?: string) {
  const findings = await findingsOfConnectors({ dataDir, secretKey, variable: (name) => environment[name] });
  assert.ok(!JSON.stringify(findings).includes(SECRET));
  return findings.map(({ check, status, message }) => `${check}: ${status}: ${message}`);
}

const withVariables = connector({
  headers: { 'x-a': { env: 'KEY_A' }, 'x-b': 'plain' },
  environments: { staging: { baseUrl: 'https://pets.example.com', secret: { env: 'KEY_B' } } },
});

async function twoTenants(t: TestContext) {
  const opened = await openConnectors(t);
  const { connectors, credentials, tenantId, state } = opened;
  const { id } = await state.tenants.create({ name: 'acme' });
  await connectors.apply(tenantId, [withVariables, connector({ slug: 'b', credentials: ['main', 'later'] })], null);
  await connectors.apply(id, connector({ credentials: ['main'] }), null);
  await credentials.set(tenantId, { name: 'main', secret: SECRET, hosts: HOSTS }, null);
  await credentials.set(tenantId, { name: 'spare', secret: SECRET, hosts: HOSTS }, null);
  return { ...opened, acme: id };
}

test('doctor: counts connectors and credentials by tenant and reports what they lack', async (t) => {
  const { dataDir, credentials, tenantId, acme } = await twoTenants(t);
  const configuration = [
    'connector configuration: ok: connectors by tenant: acme 1, default 2',
    'connector configuration: warning: pets of tenant acme, credentials: main is not stored. Set it with `credentials set main`',
    'connector configuration: warning: b of tenant default, credentials: later is not stored. Set it with `credentials set later`',
  ];
  const unset = [
    `connector configuration: warning: pets of tenant default, headers.x-a: the environment variable KEY_A is not set. ${LOOK}`,
    `connector configuration: warning: pets of tenant default, environments.staging.secret: the environment variable KEY_B holds characters that no header takes. ${LOOK}`,
  ];
  const counted = 'connector credentials: ok: credentials by tenant: default 2';
  assert.deepEqual(await doctor(dataDir, { KEY_A: SECRET, KEY_B: SECRET }), [...configuration, counted]);
  assert.deepEqual(await doctor(dataDir, { KEY_B: `${SECRET}é` }), [
    ...configuration.slice(0, 2),
    configuration[2]!,
    ...unset,
    counted,
  ]);
  await credentials.set(tenantId, { name: 'later', secret: SECRET, hosts: HOSTS }, null);
  await credentials.set(acme, { name: 'main', secret: SECRET, hosts: HOSTS }, null);
  assert.deepEqual(await doctor(dataDir, { KEY_A: SECRET, KEY_B: SECRET }), [
    configuration[0],
    'connector credentials: ok: credentials by tenant: acme 1, default 3',
  ]);
});

test('doctor: reports credentials that do not open: key missing, or swapped', async (t) => {
  const { dataDir } = await twoTenants(t);
  const another = 'the stored secret was sealed with another key than those in sealing-keys.json';
  const failure = (name: string, problem: string) =>
    `connector credentials: failed: ${name} of tenant default: ${problem}. ${MEND}`;
  const failuresOf = async (secretKey?: string) =>
    (await doctor(dataDir, {}, secretKey)).filter((line) => line.includes(': failed: '));
  const both = ['main', 'spare'].map((name) => failure(name, another));
  const path = join(dataDir, SEALING_KEYS_FILE);
  renameSync(path, `${path}.moved`);
  assert.deepEqual(await failuresOf(), both);
  assert.deepEqual(await failuresOf('another secret of this installation'), both);
  renameSync(`${path}.moved`, path);
  assert.deepEqual(await failuresOf(), []);
  tablesOf(t, dataDir)
    .prepare(
      "UPDATE credentials SET sealed = (SELECT sealed FROM credentials WHERE name = 'main') WHERE name = 'spare'",
    )
    .run();
  const changed = 'the stored secret was changed where it is stored, or belongs to something else';
  assert.deepEqual(await failuresOf(), [failure('spare', changed)]);
});

test('doctor: the command includes connectors; a new directory has none', async (t) => {
  const none = ['connector configuration: ok: no connector is defined', 'connector credentials: ok: none is stored'];
  const empty = temporaryDirectory(t);
  assert.deepEqual(await doctor(empty), none);
  const { dataDir, connectors, tenantId } = await openConnectors(t);
  assert.deepEqual(await doctor(dataDir), none);
  await connectors.apply(tenantId, connector(), null);
  const { code, stdout } = await runCommand(['doctor', '--data-dir', dataDir]);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^ok {7}connector configuration: connectors by tenant: default 1\n/m);
  assert.match(stdout, /^ok {7}connector credentials: none is stored\n/m);
});

const lookup = lookupOf({ 'models.example.com': [['93.184.216.34']], 'inside.test': [['10.9.8.7']], '::1': [['::1']] });

async function told(...definitions: Record<string, unknown>[]): Promise<string[]> {
  const found = providerDefinitions(definitions.map((one, index) => definition({ name: `p${index}`, ...one }))).map(
    (one) => ({
      ...{ tenantId: 't', tenant: 'acme' },
      provider: { name: one.name, definition: one as SealedDefinition, createdAt: 0, updatedAt: 0 },
    }),
  );
  return (await findingsOfAddresses(found, lookup)).map(({ status, message }) => `${status}: ${message}`);
}

test('findingsOfAddresses: hosts that resolve and are allowed are counted', async () => {
  assert.deepEqual(
    await told(
      {},
      { baseUrl: 'http://inside.test/v1', allowPrivateNetwork: true },
      { provider: 'bedrock', baseUrl: undefined },
    ),
    ['ok: found: 2; nothing was asked there'],
  );
  assert.deepEqual(await told({ baseUrl: 'http://[::1]:8000/v1', allowPrivateNetwork: true }), [
    'ok: found: 1; nothing was asked there',
  ]);
});

test('findingsOfAddresses: a definition without a base URL is skipped', async () => {
  assert.deepEqual(await told({ provider: 'bedrock', baseUrl: undefined }), []);
});

test('findingsOfAddresses: an unknown host is a warning, a blocked one a failure', async () => {
  const findings = await told({}, { baseUrl: 'https://lost.test/v1' }, { baseUrl: 'https://inside.test/v1' });
  assert.deepEqual(findings, [
    'warning: p1 of tenant acme: lost.test is not found from here (ENOTFOUND)',
    "failed: p2 of tenant acme: inside.test is not at a public address, and only the operator's definition may allow it (allowPrivateNetwork)",
  ]);
});
