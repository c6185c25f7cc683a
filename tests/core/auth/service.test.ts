import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatKey, hashSecret, matchesHash, newKey, parseKey } from '../../../src/core/auth/secrets.ts';
import { type Caller, hasScope, requireScope } from '../../../src/core/shared/caller.ts';
import type { RuntimeError } from '../../../src/core/shared/errors.ts';
import { testApp } from '../../support/app.ts';

test('a key has an id of 12 and a secret of 43 letters and digits, and is never made twice', () => {
  const keys = Array.from({ length: 1_000 }, () => formatKey(newKey()));
  assert.equal(new Set(keys).size, 1_000);
  for (const key of keys) assert.match(key, /^ar_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/);
  const parts = parseKey(keys[0]!);
  assert.equal(formatKey(parts!), keys[0]);
  for (const bad of ['', 'ar__', `${keys[0]}x`, keys[0]!.slice(1), `${keys[0]}\n`]) assert.equal(parseKey(bad), null);
});

test('a secret matches its own hash only', () => {
  const { secret } = newKey();
  assert.equal(matchesHash(secret, hashSecret(secret)), true);
  assert.equal(matchesHash(newKey().secret, hashSecret(secret)), false);
});

test('a star is every scope; without it each scope is needed by name', () => {
  const caller = (scopes: Caller['scopes']) => ({ scopes }) as Caller;
  assert.equal(hasScope(caller(['*']), 'chat:write'), true);
  assert.equal(hasScope(caller(['events:read']), 'events:write'), false);
  assert.throws(
    () => requireScope(caller([]), 'mcp:read'),
    (error: RuntimeError) => error.scope === 'mcp:read',
  );
});

test('nobody grants scopes that they lack', async (t) => {
  const { runtime, newKey: issue } = await testApp(t);
  const caller = await runtime.auth.authenticate(await issue({ scopes: ['events:read', 'mcp:read'] }));
  const create = (scopes: ('*' | 'events:read' | 'events:write')[]) =>
    runtime.auth.createKey(caller.tenantId, { label: 'x', scopes }, caller);
  assert.deepEqual((await create(['events:read'])).scopes, ['events:read']);
  await assert.rejects(create(['events:write']), /lack: events:write/);
  await assert.rejects(create(['*']), /lack: \*/);
});

test('rotating a key voids the old secret, and a revoked key cannot be rotated', async (t) => {
  const { runtime, key } = await testApp(t);
  const id = parseKey(key)!.id;
  const { key: rotated } = await runtime.auth.rotateKey(id);
  assert.equal(parseKey(rotated)?.id, id);
  await assert.rejects(runtime.auth.authenticate(key), /not valid/);
  assert.equal((await runtime.auth.authenticate(rotated)).credential.id, id);
  await runtime.auth.revokeKey(id);
  await assert.rejects(runtime.auth.authenticate(rotated), /revoked/);
  await assert.rejects(runtime.auth.rotateKey(id), /revoked/);
});

test('what is wrong with a new key, tenant or agent is said by field', async (t) => {
  const { runtime, tenantId } = await testApp(t);
  const { auth } = runtime;
  await assert.rejects(auth.createKey(tenantId, { label: '', scopes: ['*'] }, null), /label: must not be empty/);
  await assert.rejects(
    auth.createKey(tenantId, { label: 'x', scopes: ['events:reed' as '*'] }, null),
    /scopes\[0\]: must be one of/,
  );
  await assert.rejects(auth.createKey(tenantId, { label: 'x', scopes: [] }, null), /scopes: needs at least one/);
  await assert.rejects(auth.createTenant({ name: 'default' }), /exists already/);
  await assert.rejects(auth.tenant('nobody'), /There is no tenant "nobody". Known tenants: default/);
  await auth.createAgent(tenantId, { name: 'sales' }, null);
  await assert.rejects(
    auth.createAgent(tenantId, { name: 'sales' }, null),
    (error: RuntimeError) => error.code === 'conflict',
  );
});

test('the last use of a key is remembered', async (t) => {
  const { runtime, tenantId } = await testApp(t);
  const [key] = await runtime.auth.listKeys(tenantId);
  assert.ok(Date.now() - (key?.lastUsedAt ?? 0) < 10_000);
});
