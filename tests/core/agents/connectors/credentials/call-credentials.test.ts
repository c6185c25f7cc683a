import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallPolicy } from '../../../../../src/core/agents/connectors/call/transport.ts';
import {
  CallCredentials,
  resolveReference,
} from '../../../../../src/core/agents/connectors/credentials/call-credentials.ts';
import type { AccessTokens } from '../../../../../src/core/agents/connectors/credentials/tokens.ts';
import type { SecretReference } from '../../../../../src/core/agents/connectors/definition/environment-schema.ts';
import { connectorDefinitionSchema } from '../../../../../src/core/agents/connectors/definition/schema.ts';
import type { BuiltRequest } from '../../../../../src/core/agents/connectors/request/request.ts';
import { connector, openConnectors } from '../../../../support/connectors.ts';

const SECRET = 'sk-this-is-the-secret';

test('resolveReference: a variable is its secret, an unusable one is named', async (t) => {
  const { credentials, tenantId } = await openConnectors(t);
  const environment: Record<string, string> = { TOKEN: SECRET, ODD: `${SECRET}\nx-admin: 1` };
  const resolve = (env: string) =>
    resolveReference({ env }, { tenantId, credentials, variable: (name) => environment[name], allowed: [] });
  assert.deepEqual(await resolve('TOKEN'), {
    name: 'TOKEN',
    username: null,
    secret: SECRET,
    hosts: null,
    version: 'env TOKEN',
  });
  await assert.rejects(resolve('MISSING'), {
    code: 'unavailable',
    message: 'The connector cannot be used: the environment variable MISSING is not set.',
  });
  await assert.rejects(resolve('ODD'), {
    code: 'unavailable',
    message: 'The connector cannot be used: the environment variable ODD holds characters that no header takes.',
  });
});

test('resolveReference: only listed credentials are used, by their current version', async (t) => {
  const { credentials, tenantId } = await openConnectors(t);
  const resolve = (reference: SecretReference, allowed: string[]) =>
    resolveReference(reference, { tenantId, credentials, variable: () => undefined, allowed });
  const set = (secret: string) =>
    credentials.set(tenantId, { name: 'main', username: 'ana', secret, hosts: ['a.example'] }, null);
  await set(SECRET);
  const main = { credential: 'main' };
  const { version, ...rest } = await resolve(main, ['other', 'main']);
  assert.deepEqual(rest, { name: 'main', username: 'ana', secret: SECRET, hosts: ['a.example'] });
  assert.equal((await resolve(main, ['main'])).version, version);
  await set('new');
  assert.notEqual((await resolve(main, ['main'])).version, version);
  await assert.rejects(resolve(main, ['other']), {
    code: 'invalid',
    message: 'options.credentials: the connector does not list "main"; it lists "other"',
  });
  await assert.rejects(resolve(main, []), {
    code: 'invalid',
    message: 'options.credentials: the connector does not list "main"; it lists none',
  });
  await assert.rejects(resolve({ credential: 'other' }, ['other']), {
    code: 'unavailable',
    message: 'Credential "other" is not stored; `credentials set other` stores it.',
  });
});

test('CallCredentials: a variable of the server goes where the definition says', async (t) => {
  const { credentials, tenantId } = await openConnectors(t);
  const parts = { credentials, tokens: {} as AccessTokens, variable: () => SECRET };
  const production = { baseUrl: 'https://pets.example.com/v1', secret: { env: 'TOKEN' } };
  const definition = connectorDefinitionSchema.parse(
    connector({ environments: { production }, auth: { type: 'bearer' } }),
  );
  const authority = await new CallCredentials(parts).authorityFor(definition, {
    policy: { tenantId } as CallPolicy,
    environment: 'production',
    named: undefined,
  });
  const request = { headers: [] as string[] } as BuiltRequest;
  const { headers } = await authority.authorize(request, t.signal);
  assert.deepEqual(headers, ['authorization', `Bearer ${SECRET}`]);
});
