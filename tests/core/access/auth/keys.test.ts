import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstRun } from '../../../../src/core/access/auth/bootstrap.ts';
import { parseKey } from '../../../../src/core/access/auth/secrets.ts';
import type { Caller } from '../../../../src/core/base/shared/caller.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import type { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { testApp } from '../../../support/app.ts';

test('KeyService.create: scopes that the caller lacks are refused', async (t) => {
  const { runtime, newKey: issue } = await testApp(t);
  const bearer = await runtime.keyAuthenticator.authenticate(await issue({ scopes: ['events:read', 'mcp:read'] }));
  const caller: Caller = { ...bearer, role: 'USER' };
  const create = (scopes: ('*' | 'events:read' | 'events:write')[]) =>
    runtime.keys.create(caller.tenantId, { label: 'x', scopes }, caller);
  assert.deepEqual((await create(['events:read'])).scopes, ['events:read']);
  await assert.rejects(create(['events:write']), /lack: events:write/);
  await assert.rejects(create(['*']), /lack: \*/);
});

test('KeyService.rotate: the old secret is void, and a revoked key is refused', async (t) => {
  const { runtime, key } = await testApp(t);
  const id = parseKey(key)!.id;
  const { key: rotated } = await runtime.keys.rotate(id, null);
  assert.equal(parseKey(rotated)?.id, id);
  await assert.rejects(runtime.keyAuthenticator.authenticate(key), /not valid/);
  assert.equal((await runtime.keyAuthenticator.authenticate(rotated)).credential.id, id);
  await runtime.keys.revoke(id, null);
  await assert.rejects(runtime.keyAuthenticator.authenticate(rotated), /revoked/);
  await assert.rejects(runtime.keys.rotate(id, null), /revoked/);
});

test('KeyService, TenantService, AgentService: input errors name the field', async (t) => {
  const { runtime, tenantId } = await testApp(t);
  const { keys, tenants, agents } = runtime;
  await assert.rejects(keys.create(tenantId, { label: '', scopes: ['*'] }, null), /label: must not be empty/);
  await assert.rejects(
    keys.create(tenantId, { label: 'x', scopes: ['events:reed' as '*'] }, null),
    /scopes\[0\]: must be one of/,
  );
  await assert.rejects(keys.create(tenantId, { label: 'x', scopes: [] }, null), /scopes: needs at least one/);
  await assert.rejects(tenants.create({ name: 'default' }), /exists already/);
  await assert.rejects(tenants.get('nobody'), /There is no tenant "nobody". Known tenants: default/);
  await agents.create(tenantId, { name: 'sales' }, null);
  await assert.rejects(
    agents.create(tenantId, { name: 'sales' }, null),
    (error: RuntimeError) => error.code === 'conflict',
  );
});

test('KeyAuthenticator: the last use of a key is stored', async (t) => {
  const { runtime, tenantId } = await testApp(t);
  const [key] = await runtime.keys.listAll(tenantId);
  assert.ok(Date.now() - Date.parse(key?.lastUsedAt ?? '') < 10_000);
});

test('firstRun: of several processes that start at once, one shows keys and password', async (t) => {
  const { runtime } = await testApp(t);
  let holder: string | null = null;
  const shown: string[] = [];
  const start = (name: string) => {
    const held = async () => {
      holder ??= name;
      return holder === name;
    };
    const maintenance = { held, tasks: () => [], close: async () => undefined };
    return firstRun({ ...runtime, maintenance, effects: realEffects }, ({ fullKey }) => void shown.push(fullKey.key));
  };
  await Promise.all(['one', 'two', 'three'].map(start));
  assert.equal(shown.length, 1);
  assert.ok(await runtime.keyAuthenticator.authenticate(shown[0]!));
  holder = null;
  await start('four');
  assert.equal(shown.length, 1, 'once');
});
