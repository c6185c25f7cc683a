import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiKey } from '../../../../src/core/access/auth/schema.ts';
import { ROLES } from '../../../../src/core/base/shared/caller.ts';
import { storedKey } from '../../../contracts/key-store.ts';
import { newPerson, PORTAL } from '../../../support/people.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { assertNames } from '../dashboards/support.ts';

const KEYS = `${PORTAL}/keys`;
const DAY_MS = 86_400_000;
const sharedApp = appOfThisFile({ rateLimit: 0 });

let tenants = 0;

/** A tenant of its own, with people, and keys that are stored as they are given. */
async function newTenant() {
  const app = await sharedApp();
  tenants += 1;
  const { id: tenantId, name: tenant } = await app.runtime.tenants.create({ name: `tenant ${tenants}` });
  const add = async (label: string, members: Partial<ApiKey> = {}) => {
    await app.runtime.keyStore.create(storedKey(label, { ...members, id: `${label}-${tenants}`, tenantId }));
  };
  const admin = await newPerson(app, { role: 'ADMIN', tenant });
  const labels = async (query: string, person = admin) => {
    const { status, body } = await person.request('GET', `${KEYS}?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return { labels: body.keys.map(({ label }: ApiKey) => label), total: body.total };
  };
  return { app, tenant, admin, add, labels };
}

test('GET /portal/keys: filters by state, of which the default is all', async () => {
  const { add, labels } = await newTenant();
  const now = Date.now();
  await add('everlasting', { createdAt: 5 });
  await add('soon', { createdAt: 4, expiresAt: now + 29 * DAY_MS });
  await add('expired', { createdAt: 3, expiresAt: now - 1 });
  await add('revoked', { createdAt: 2, revokedAt: 1 });
  const all = ['everlasting', 'soon', 'expired', 'revoked'];
  for (const [query, expected] of [
    ['', all],
    ['state=all', all],
    ['state=active', ['everlasting', 'soon']],
    ['state=expiring', ['soon']],
    ['state=expired', ['expired']],
    ['state=revoked', ['revoked']],
  ] as const) {
    assert.deepEqual(await labels(query), { labels: expected, total: expected.length }, query);
  }
});

test('GET /portal/keys: searches labels and ids, and a whole key by its id alone', async () => {
  const { admin, add, labels } = await newTenant();
  await add('Importer');
  const { body } = await admin.request('POST', KEYS, { label: 'other', scopes: ['events:read'] });
  assert.deepEqual((await labels('search=import')).labels, ['Importer']);
  assert.deepEqual((await labels(`search=${body.id}`)).labels, ['other']);
  assert.deepEqual((await labels(`search=${body.key}`)).labels, ['other']);
  assert.deepEqual(await labels('search=nothing'), { labels: [], total: 0 });
});

test('GET /portal/keys: each key has its maker, null for the operator', async () => {
  const { app, tenant, admin, add } = await newTenant();
  const left = await newPerson(app, { tenant, isActive: false, name: 'Who Left' });
  await add('operator', { createdAt: 3 });
  await add('left', { createdAt: 2, createdBy: left.user.id });
  await add('gone', { createdAt: 1, createdBy: 'gone' });
  const { keys } = (await admin.request('GET', KEYS)).body;
  const { id, email } = left.user;
  assert.deepEqual(
    keys.map(({ maker }: { maker: unknown }) => maker),
    [null, { id, name: 'Who Left', email, isActive: false }, { id: 'gone', name: null, email: null, isActive: false }],
  );
});

test('GET /portal/keys: administrators see keys of one maker, and of leavers', async () => {
  const { app, tenant, add, labels } = await newTenant();
  const [here, left] = [await newPerson(app, { tenant }), await newPerson(app, { tenant, isActive: false })];
  await add('operator', { createdAt: 5 });
  await add('kept', { createdAt: 4, createdBy: here.user.id });
  await add('valid', { createdAt: 3, createdBy: left.user.id });
  await add('void', { createdAt: 2, createdBy: left.user.id, revokedAt: 1 });
  await add('of nobody', { createdAt: 1, createdBy: 'gone' });
  assert.deepEqual((await labels(`maker=${left.user.id}`)).labels, ['valid', 'void']);
  assert.deepEqual((await labels(`maker=${left.user.id}&state=active`)).labels, ['valid']);
  assert.deepEqual(await labels('leavers=true'), { labels: ['valid', 'of nobody'], total: 2 });
  assert.deepEqual((await labels('leavers=false')).total, 5);
  const elsewhere = await newTenant();
  assert.deepEqual(await elsewhere.labels(`maker=${left.user.id}`), { labels: [], total: 0 }, 'of another tenant');
  assert.deepEqual(await elsewhere.labels('leavers=true'), { labels: [], total: 0 });
});

test('GET /portal/keys: no filter shows others the keys of somebody else', async () => {
  const { app, tenant, admin, add, labels } = await newTenant();
  await add('of the operator');
  await add('of the leaver', { createdBy: 'gone' });
  await add('of the admin', { createdBy: admin.user.id });
  for (const role of ROLES) {
    const person = await newPerson(app, { tenant, role });
    await add(`of ${role}`, { createdBy: person.user.id });
    const isAdministrator = role === 'ADMIN' || role === 'SUPER_ADMIN';
    for (const query of ['search=of', `maker=${admin.user.id}`, 'leavers=true', 'state=active']) {
      const shown = (await labels(query, person)).labels;
      if (isAdministrator) assert.ok(shown.includes('of the admin') || shown.includes('of the leaver'), query);
      else
        assert.deepEqual(
          shown.filter((label: string) => label !== `of ${role}`),
          [],
          `${role} ${query}`,
        );
    }
    assert.deepEqual((await labels(`maker=${person.user.id}`, person)).labels, [`of ${role}`]);
  }
});

test('GET /portal/keys: wrong filters are named with 400', async () => {
  const { admin } = await newTenant();
  assertNames(
    await admin.request('GET', `${KEYS}?state=old&leavers=perhaps&createdBy=x`),
    'state',
    'leavers',
    'createdBy',
  );
  assertNames(await admin.request('GET', `${KEYS}?search=${'x'.repeat(201)}`), 'search');
});
