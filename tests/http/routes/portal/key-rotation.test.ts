import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { testApp } from '../../../support/app.ts';
import { changeUser, newPerson, PORTAL } from '../../../support/people.ts';
import { assertError, assertNames } from '../dashboards/support.ts';

const KEYS = `${PORTAL}/keys`;
const HOUR_S = 3_600;

/** A key of an administrator, at a server with a clock of its own. */
async function setUp(t: TestContext) {
  let ahead = 0;
  const app = await testApp(t, { rateLimit: 0 }, { ...realEffects, now: () => Date.now() + ahead });
  const admin = await newPerson(app, { role: 'ADMIN' });
  const make = async (members: object = {}) =>
    (await admin.request('POST', KEYS, { label: 'rotated', scopes: ['events:read'], ...members })).body;
  const rotate = async (id: string, body?: object) => (await admin.request('POST', `${KEYS}/${id}/rotate`, body)).body;
  const refusalOf = (key: string) =>
    app.runtime.keyAuthenticator.authenticate(key).then(
      () => null,
      (error: Error) => error.message,
    );
  const shown = async (id: string) =>
    (await admin.request('GET', KEYS)).body.keys.find((one: { id: string }) => one.id === id);
  const pass = (seconds: number) => {
    ahead += seconds * 1_000;
  };
  return { app, admin, make, rotate, refusalOf, shown, pass };
}

const NOT_VALID = 'The API key is not valid.';
const ENDED = 'The API key was rotated, and its former secret has ended. Use the new one.';
const REVOKED = 'The API key has been revoked.';

test('POST /portal/keys/:id/rotate: both secrets work until the overlap ends', async (t) => {
  const { make, rotate, refusalOf, shown, pass } = await setUp(t);
  const { id, key: old } = await make();
  assert.equal((await shown(id)).formerSecretUntil, null);
  const { key, formerSecretUntil } = await rotate(id, { overlapSeconds: HOUR_S });
  assert.ok(Math.abs(Date.parse(formerSecretUntil) - Date.now() - HOUR_S * 1_000) < 60_000);
  assert.equal((await shown(id)).formerSecretUntil, formerSecretUntil);
  assert.deepEqual([await refusalOf(old), await refusalOf(key)], [null, null]);
  pass(HOUR_S - 60);
  assert.equal(await refusalOf(old), null);
  pass(61);
  assert.deepEqual([await refusalOf(old), await refusalOf(key)], [ENDED, null]);
  assert.equal((await shown(id)).formerSecretUntil, null);
});

test('POST /portal/keys/:id/rotate: without an overlap the old secret is void at once', async (t) => {
  const { make, rotate, refusalOf } = await setUp(t);
  for (const body of [undefined, {}, { overlapSeconds: 0 }]) {
    const { id, key: old } = await make();
    const { key, formerSecretUntil } = await rotate(id, body);
    assert.equal(formerSecretUntil, null);
    assert.deepEqual([await refusalOf(old), await refusalOf(key)], [NOT_VALID, null]);
  }
});

test('POST /portal/keys/:id/rotate: a second rotation voids the older secret', async (t) => {
  const { make, rotate, refusalOf } = await setUp(t);
  const { id, key: first } = await make();
  const { key: second } = await rotate(id, { overlapSeconds: 604_800 });
  const { key: third } = await rotate(id, { overlapSeconds: HOUR_S });
  assert.deepEqual([await refusalOf(first), await refusalOf(second), await refusalOf(third)], [NOT_VALID, null, null]);
  const { key: fourth } = await rotate(id);
  assert.deepEqual(
    [await refusalOf(second), await refusalOf(third), await refusalOf(fourth)],
    [NOT_VALID, NOT_VALID, null],
  );
});

test('POST /portal/keys/:id/rotate: an old secret gains no rights by an overlap', async (t) => {
  const { app, admin, make, refusalOf } = await setUp(t);
  const [operator, other] = [await newPerson(app, { role: 'SUPER_ADMIN' }), await newPerson(app, { role: 'ADMIN' })];
  const { id, key } = await make({ scopes: ['*'] });
  const rotatedBy = (who: typeof admin, overlapSeconds: number) =>
    who.request('POST', `${KEYS}/${id}/rotate`, { overlapSeconds });
  const promote = { role: 'SUPER_ADMIN' };
  const asOld = () => app.request('PATCH', `/api/v1/runtime/users/${admin.user.id}`, promote, { 'x-api-key': key });
  const refused = async (answer: ReturnType<typeof asOld>, message: RegExp) => {
    const { status, body } = await answer;
    assert.equal(status, 403, JSON.stringify(body));
    assert.match(body.message, message);
  };
  await refused(rotatedBy(operator, HOUR_S), /^overlapSeconds: you become the maker of this key/);
  await refused(asOld(), /^role: you cannot make anyone SUPER_ADMIN/);
  assert.equal((await rotatedBy(other, HOUR_S)).status, 200);
  await refused(asOld(), /^role: you cannot make anyone SUPER_ADMIN/);
  await changeUser(app, other.user.id, { isActive: false });
  await refused(rotatedBy(admin, HOUR_S), /^overlapSeconds: you become the maker of this key/);
  assert.equal((await rotatedBy(operator, 0)).status, 200);
  assert.equal(await refusalOf(key), NOT_VALID);
});

test('DELETE /portal/keys/:id: a revocation voids both secrets at once', async (t) => {
  const { admin, make, rotate, refusalOf } = await setUp(t);
  const [one, other] = [await make(), await make()];
  const rotated = [
    await rotate(one.id, { overlapSeconds: HOUR_S }),
    await rotate(other.id, { overlapSeconds: HOUR_S }),
  ];
  const { body } = await admin.request('DELETE', `${KEYS}/${one.id}`);
  assert.equal(body.formerSecretUntil, null);
  // A former secret is forgotten with it.
  assert.deepEqual([await refusalOf(one.key), await refusalOf(rotated[0].key)], [NOT_VALID, REVOKED]);
  await admin.request('DELETE', `${KEYS}?createdBy=${admin.user.id}`);
  assert.deepEqual([await refusalOf(other.key), await refusalOf(rotated[1].key)], [NOT_VALID, REVOKED]);
});

test('POST /portal/keys/:id/rotate: the former secret ends with the key', async (t) => {
  const { make, rotate, refusalOf, shown, pass } = await setUp(t);
  const { id, key: old, expiresAt } = await make({ expiresAt: new Date(Date.now() + HOUR_S * 1_000).toISOString() });
  assert.equal((await rotate(id, { overlapSeconds: 2 * HOUR_S })).formerSecretUntil, expiresAt);
  assert.equal((await shown(id)).formerSecretUntil, expiresAt);
  pass(HOUR_S + 1);
  assert.equal(await refusalOf(old), 'The API key has expired.');
});

test('POST /portal/keys/:id/rotate: overlaps beyond a week or of no number are refused', async (t) => {
  const { app, admin, make } = await setUp(t);
  const { id } = await make();
  for (const overlapSeconds of [-1, 604_801, 1.5, '60']) {
    assertNames(await admin.request('POST', `${KEYS}/${id}/rotate`, { overlapSeconds }), 'overlapSeconds');
  }
  assert.equal((await admin.request('POST', `${KEYS}/${id}/rotate`, { overlapSeconds: 604_800 })).status, 200);
  const { id: tenantId } = await app.runtime.tenants.create({ name: 'elsewhere' });
  const stranger = await newPerson(app, { role: 'ADMIN', tenant: tenantId });
  assertError(await stranger.request('POST', `${KEYS}/${id}/rotate`, { overlapSeconds: 1 }), 403, 'Forbidden');
});

test('POST /portal/keys/:id/rotate: the audit line has the overlap, and no hash', async (t) => {
  const { app, admin, make, rotate } = await setUp(t);
  const { id, key } = await make();
  const { key: rotated } = await rotate(id, { overlapSeconds: HOUR_S });
  const log = (await admin.request('GET', `${PORTAL}/audit-log?action=key.rotated&limit=1`)).body;
  const scopes = ['events:read'];
  assert.deepEqual(log.entries[0].details, { label: 'rotated', agentId: null, scopes, overlapSeconds: HOUR_S });
  const stored = await app.runtime.keys.get(id);
  const text = JSON.stringify([log, (await admin.request('GET', KEYS)).body]);
  for (const secret of [key, rotated].map((one) => one.split('_')[2])) assert.ok(!text.includes(secret));
  for (const hash of [stored.secretHash, stored.formerHash!]) assert.ok(!text.includes(hash));
});

test('KeyAuthenticator: a request reads the key once, with a former secret, too', async (t) => {
  const { app, make, rotate } = await setUp(t);
  const { id, key } = await make();
  await rotate(id, { overlapSeconds: HOUR_S });
  const find = t.mock.method(app.runtime.keyStore, 'find');
  await app.runtime.keyAuthenticator.authenticate(key);
  assert.equal(find.mock.callCount(), 1);
});
