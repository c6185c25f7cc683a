import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SealedDefinition } from '../../src/core/agents/providers/secrets.ts';
import { providerDefinitions } from '../../src/core/agents/providers/service.ts';
import { findingsOfAddresses } from '../../src/doctor/providers.ts';
import { lookupOf } from '../outbound/support.ts';
import { definition } from '../support/providers.ts';

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
