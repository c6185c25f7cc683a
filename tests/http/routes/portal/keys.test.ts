import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayGiveRole, SCOPES_OF_ROLE } from '../../../../src/core/access/auth/rights.ts';
import { parseKey } from '../../../../src/core/access/auth/secrets.ts';
import { administers, ROLES, type Role, SCOPES, type Scope } from '../../../../src/core/base/shared/caller.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { changeUser, newPerson, type Person, PORTAL } from '../../../support/people.ts';
import { eventually } from '../../../support/process.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { assertError, assertNames, UTC } from '../dashboards/support.ts';

const KEYS = `${PORTAL}/keys`;
const sharedApp = appOfThisFile({ rateLimit: 0 });
const as = async (role: Role, tenant = 'default') => newPerson(await sharedApp(), { role, tenant });

/** A key of this person's, made by the portal. */
async function keyOf({ request }: Person, members: object = {}): Promise<{ id: string; key: string }> {
  const answer = await request('POST', KEYS, { label: 'theirs', scopes: ['events:read'], ...members });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

/** Whether an API key is valid, and what it may. */
async function callerOf(key: string) {
  return (await sharedApp()).runtime.keyAuthenticator.authenticate(key).catch(() => null);
}

let tenants = 0;

async function newTenant({ runtime }: TestApp): Promise<string> {
  return (await runtime.tenants.create({ name: `tenant ${++tenants}` })).name;
}

test('POST /portal/keys: the key is shown once and works at once', async () => {
  const person = await as('USER');
  const body = {
    label: 'Importer',
    scopes: ['events:write', 'events:write'],
    agentId: null,
    expiresAt: '2099-03-01T12:00:00+02:00',
  };
  const answer = await person.request('POST', KEYS, body);
  assert.equal(answer.status, 201);
  const { id, key } = answer.body;
  assert.equal(parseKey(key)?.id, id);
  const shown = {
    id,
    tenantId: person.user.tenantId,
    agentId: null,
    label: 'Importer',
    scopes: ['events:write'],
    expiresAt: '2099-03-01T10:00:00.000Z',
  };
  assert.deepEqual(answer.body, { ...shown, key });
  const caller = await callerOf(key);
  assert.deepEqual(
    [caller?.label, caller?.scopes, caller?.userId, caller?.role],
    ['Importer', ['events:write'], person.user.id, null],
  );
  const list = await person.request('GET', KEYS);
  assert.deepEqual([list.status, list.body.total, list.body.limit, list.body.offset], [200, 1, 50, 0]);
  const [{ createdAt, lastUsedAt, ...listed }] = list.body.keys;
  const { id: userId, name, email } = person.user;
  const maker = { id: userId, name, email, isActive: true };
  const others = { createdBy: userId, maker, revokedAt: null, formerSecretUntil: null };
  assert.deepEqual(listed, { ...shown, ...others });
  assert.match(createdAt, UTC);
  assert.match(lastUsedAt, UTC);
});

test('portal keys: no other response or audit line has a secret or hash', async () => {
  const app = await sharedApp();
  const admin = await as('ADMIN', await newTenant(app));
  const { id, key } = await keyOf(admin);
  const { key: rotated } = (await admin.request('POST', `${KEYS}/${id}/rotate`)).body;
  const stored = await app.runtime.keys.get(id);
  const answers = [
    await admin.request('GET', KEYS),
    await admin.request('DELETE', `${KEYS}/${id}`),
    await admin.request('GET', KEYS),
    await admin.request('GET', `${PORTAL}/audit-log`),
    await admin.request('POST', `${KEYS}/${rotated}/rotate`),
    await admin.request('DELETE', `${KEYS}/${rotated}`),
  ];
  const text = JSON.stringify(answers.map(({ body }) => body));
  for (const secret of [parseKey(key)!.secret, parseKey(rotated)!.secret, stored.secretHash]) {
    assert.ok(!text.includes(secret));
  }
});

test('POST /portal/keys: invalid members are named with 400', async () => {
  const { request } = await as('ADMIN');
  const right = { label: 'x', scopes: ['events:read'] };
  assertNames(await request('POST', KEYS, { ...right, secret: 'x', tenantId: 'x' }), 'secret', 'tenantId');
  for (const expiresAt of ['tomorrow', '2020-01-01', 1_900_000_000_000, '']) {
    assertNames(await request('POST', KEYS, { ...right, expiresAt }), 'expiresAt');
  }
  assertNames(await request('POST', `${KEYS}/x/rotate`, { scopes: ['*'] }), 'scopes');
});

test('portal keys: rotation replaces only the secret, revocation is final', async () => {
  const person = await as('USER');
  const { id, key } = await keyOf(person, { label: 'a key' });
  const rotated = await person.request('POST', `${KEYS}/${id}/rotate`);
  assert.equal(rotated.status, 200);
  assert.deepEqual(
    { ...rotated.body, key: '' },
    { ...(await person.request('POST', `${KEYS}/${id}/rotate`, {})).body, key: '' },
  );
  assert.equal(await callerOf(key), null);
  assert.equal(await callerOf(rotated.body.key), null, 'rotated once more');
  const again = (await person.request('POST', `${KEYS}/${id}/rotate`)).body;
  assert.equal((await callerOf(again.key))?.credential.id, id);

  const revoked = await person.request('DELETE', `${KEYS}/${id}`);
  assert.equal(revoked.status, 200);
  assert.match(revoked.body.revokedAt, UTC);
  assert.equal(await callerOf(again.key), null);
  assert.deepEqual((await person.request('DELETE', `${KEYS}/${id}`)).body, revoked.body, 'once more changes nothing');
  assert.deepEqual((await person.request('GET', KEYS)).body.keys, [revoked.body]);
  assertError(await person.request('POST', `${KEYS}/${id}/rotate`), 409, 'Conflict');
});

test('POST /portal/keys/:id/rotate: an expired key is refused like a revoked one', async () => {
  const person = await as('USER');
  const { id, key } = await keyOf(person, { expiresAt: new Date(Date.now() + 2_000).toISOString() });
  await eventually('the key has expired', async () => (await callerOf(key)) === null, 10_000);
  const answer = await person.request('POST', `${KEYS}/${id}/rotate`);
  assertError(answer, 409, 'Conflict');
  assert.equal(answer.body.message, `The key ${id} has expired; create a new one instead.`);
});

test('GET /portal/keys: newest first with the total', async () => {
  const person = await as('VIEWER');
  const ids = [];
  for (let count = 0; count < 5; count++) ids.unshift((await keyOf(person, { label: `${count}` })).id);
  const pageOf = async (query: string) => {
    const { body } = await person.request('GET', `${KEYS}?${query}`);
    return [body.keys.map(({ id }: { id: string }) => id), body.total, body.limit, body.offset];
  };
  const [all] = await pageOf('');
  assert.deepEqual(new Set(all), new Set(ids));
  assert.deepEqual(await pageOf('limit=2&offset=1'), [all.slice(1, 3), 5, 2, 1]);
  assert.deepEqual(await pageOf('limit=9999&offset=4'), [all.slice(4), 5, 500, 4]);
  assert.deepEqual(await pageOf('offset=5&limit='), [[], 5, 50, 5]);
});

test('GET /portal/keys: administrators see all keys, other users their own', async () => {
  const app = await sharedApp();
  const tenant = await newTenant(app);
  const people = Object.fromEntries(
    await Promise.all(ROLES.map(async (role) => [role, await as(role, tenant)])),
  ) as Record<Role, Person>;
  const made = new Map<Role, string>();
  for (const role of ROLES) made.set(role, (await keyOf(people[role])).id);
  const operators = parseKey(await app.newKey({ tenant, scopes: ['events:read'] }))!.id;
  for (const role of ROLES) {
    const { keys, total } = (await people[role].request('GET', KEYS)).body;
    const seen = keys.map(({ id }: { id: string }) => id).sort();
    const expected = administers(role) ? [...made.values(), operators] : [made.get(role)!];
    assert.deepEqual([seen, total], [expected.sort(), expected.length], role);
    for (const id of [made.get(role === 'USER' ? 'VIEWER' : 'USER')!, operators]) {
      const answer = await people[role].request('POST', `${KEYS}/${id}/rotate`);
      if (administers(role)) assert.equal(answer.status, 200);
      else assertError(answer, 403, 'Forbidden');
    }
  }
  for (const role of ['USER', 'VIEWER', 'HUB_USER'] as const) {
    assertError(await people[role].request('DELETE', `${KEYS}/${operators}`), 403, 'Forbidden');
  }
  assert.equal((await people.ADMIN.request('DELETE', `${KEYS}/${operators}`)).status, 200);
});

test('POST /portal/keys: no role grants a scope that it lacks', async () => {
  for (const role of ROLES) {
    const { request } = await as(role);
    for (const scope of [...SCOPES, '*'] as const) {
      const holds = SCOPES_OF_ROLE[role].some((one) => one === '*' || one === scope);
      // Few keys are made at once: those that are refused are tried in two ways.
      for (const scopes of holds ? [['events:read', scope]] : [[scope], ['events:read', scope]]) {
        const answer = await request('POST', KEYS, { label: 'x', scopes });
        if (holds) assert.equal(answer.status, 201, `${role} ${scope}`);
        else {
          assertError(answer, 403, 'Forbidden');
          assert.ok(answer.body.message.includes(scope), answer.body.message);
        }
      }
    }
  }
});

test('POST /portal/keys/:id/rotate: scopes that the caller lacks are refused', async () => {
  const app = await sharedApp();
  const person = await as('ADMIN');
  const star = await keyOf(person, { scopes: ['*'] });
  const writer = await keyOf(person, { scopes: ['dashboards:write'] });
  const reader = await keyOf(person);
  await changeUser(app, person.user.id, { role: 'VIEWER' });
  for (const [{ id }, missing] of [
    [star, '\\*'],
    [writer, 'dashboards:write'],
  ] as const) {
    const answer = await person.request('POST', `${KEYS}/${id}/rotate`);
    assertError(answer, 403, 'Forbidden');
    assert.match(answer.body.message, new RegExp(missing));
  }
  assert.equal((await person.request('POST', `${KEYS}/${reader.id}/rotate`)).status, 200);
  assert.equal((await person.request('DELETE', `${KEYS}/${star.id}`)).status, 200, 'giving up is no gain');
});

test('portal keys: an ADMIN never gets a key that makes SUPER_ADMINs', async () => {
  const app = await sharedApp();
  const tenant = await newTenant(app);
  const [admin, colleague, superior] = [
    await as('ADMIN', tenant),
    await as('ADMIN', tenant),
    await as('SUPER_ADMIN', tenant),
  ];
  /** Whether a client with the key could make a SUPER_ADMIN. */
  const mayMakeSuper = async (key: string): Promise<boolean> => {
    const caller = await callerOf(key);
    const maker = caller?.userId ? ((await app.runtime.userStore.find(caller.userId))?.role ?? null) : null;
    return caller !== null && mayGiveRole(caller, maker, 'SUPER_ADMIN');
  };
  const refused = async (id: string) => {
    const answer = await admin.request('POST', `${KEYS}/${id}/rotate`);
    assertError(answer, 403, 'Forbidden');
    assert.match(answer.body.message, /super administrators/);
  };
  const operators = await app.newKey({ tenant, scopes: ['*'] });
  const superiors = await keyOf(superior, { scopes: ['*', 'events:read'] });
  assert.deepEqual(
    [await mayMakeSuper(operators), await mayMakeSuper(superiors.key)],
    [true, true],
    'these are worth it',
  );
  await refused(parseKey(operators)!.id);
  await refused(superiors.id);

  const own = await keyOf(admin, { scopes: ['*'] });
  assert.equal(await mayMakeSuper(own.key), false, 'made by an ADMIN');

  // A colleague's key, rotated while the colleague is an ADMIN, must not grow with the colleague.
  const colleagues = await keyOf(colleague, { scopes: ['*'] });
  const { key } = (await admin.request('POST', `${KEYS}/${colleagues.id}/rotate`)).body;
  await changeUser(app, colleague.user.id, { role: 'SUPER_ADMIN' });
  assert.equal(await mayMakeSuper(key), false, 'the colleague was promoted');

  // The key of a temporarily demoted superior must not be rotated in the meantime.
  await changeUser(app, superior.user.id, { role: 'VIEWER' });
  const taken = (await admin.request('POST', `${KEYS}/${superiors.id}/rotate`)).body.key;
  await changeUser(app, superior.user.id, { role: 'SUPER_ADMIN' });
  assert.equal(await mayMakeSuper(taken ?? own.key), false, 'the superior is back');

  const { id } = await keyOf(await as('SUPER_ADMIN', tenant), { scopes: ['*'] });
  const bySuper = await superior.request('POST', `${KEYS}/${id}/rotate`);
  assert.deepEqual([bySuper.status, await mayMakeSuper(bySuper.body.key)], [200, true], 'its like may');
});

test("portal keys: the key of a removed user counts as the operator's", async () => {
  const app = await sharedApp();
  const admin = await as('ADMIN');
  const { id } = await keyOf(await as('SUPER_ADMIN'), { scopes: ['*'] });
  const find = app.runtime.userStore.find.bind(app.runtime.userStore);
  app.runtime.userStore.find = async (userId) => (userId === admin.user.id ? find(userId) : null);
  try {
    assertError(await admin.request('POST', `${KEYS}/${id}/rotate`), 403, 'Forbidden');
  } finally {
    app.runtime.userStore.find = find;
  }
});

test('POST /portal/keys: binding an unknown agent needs an administrator', async () => {
  const app = await sharedApp();
  const [viewer, admin] = [await as('VIEWER'), await as('ADMIN')];
  const binding = (agentId: string) => ({ label: 'x', scopes: ['events:read'], agentId });
  assertError(await viewer.request('POST', KEYS, binding('new agent')), 404, 'Not Found');
  const agents = async () => (await app.runtime.agents.listAll({ tenantId: app.tenantId })).map(({ name }) => name);
  assert.ok(!(await agents()).includes('new agent'));
  assert.equal((await admin.request('POST', KEYS, binding('new agent'))).status, 201);
  assert.ok((await agents()).includes('new agent'));
  const bound = await viewer.request('POST', KEYS, binding('new agent'));
  assert.deepEqual([bound.status, bound.body.agentId], [201, 'new agent']);
});

test('portal keys: each change is audited once with its actor', async () => {
  const app = await sharedApp();
  const tenant = await newTenant(app);
  const admin = await as('ADMIN', tenant);
  const { id } = await keyOf(admin, { label: 'audited', scopes: ['mcp:read' satisfies Scope] });
  await admin.request('POST', `${KEYS}/${id}/rotate`);
  await app.runtime.keys.rotate(id, null);
  await admin.request('DELETE', `${KEYS}/${id}`);
  await admin.request('DELETE', `${KEYS}/${id}`);
  await admin.request('POST', `${KEYS}/${id}/rotate`);
  const { entries } = (await admin.request('GET', `${PORTAL}/audit-log`)).body;
  const user = { kind: 'user', id: admin.user.id, label: admin.user.email };
  const operator = { kind: 'operator', id: null, label: 'operator' };
  const details = { label: 'audited', agentId: null, scopes: ['mcp:read'] };
  assert.deepEqual(
    entries.map(({ action, target, actor, details: said }: Record<string, unknown>) => ({
      action,
      target,
      actor,
      said,
    })),
    [
      { action: 'key.revoked', target: id, actor: user, said: details },
      { action: 'key.rotated', target: id, actor: operator, said: details },
      { action: 'key.rotated', target: id, actor: user, said: details },
      { action: 'key.created', target: id, actor: user, said: details },
    ],
  );
});

test('DELETE /portal/keys: all keys of a user are revoked at once', async () => {
  const [leaver, admin, other] = [await as('USER'), await as('ADMIN'), await as('USER')];
  const [before, first, second, others] = [
    await keyOf(leaver),
    await keyOf(leaver),
    await keyOf(leaver),
    await keyOf(other),
  ];
  await leaver.request('DELETE', `${KEYS}/${before.id}`);
  const path = `${KEYS}?createdBy=${leaver.user.id}`;
  const refused = await other.request('DELETE', path);
  assert.equal(refused.status, 403);
  assert.match(refused.body.message, /Only an administrator of the tenant/);
  const elsewhere = await as('ADMIN', await newTenant(await sharedApp()));
  assert.deepEqual((await elsewhere.request('DELETE', path)).body, { revoked: [] }, 'nothing of another tenant');
  assertNames(await admin.request('DELETE', KEYS), 'createdBy');
  assert.ok(await callerOf(first.key));
  const { status, body } = await admin.request('DELETE', path);
  assert.equal(status, 200);
  assert.deepEqual(body.revoked.map(({ id }: { id: string }) => id).sort(), [first.id, second.id].sort());
  for (const { revokedAt } of body.revoked) assert.match(revokedAt, UTC);
  assert.deepEqual([await callerOf(first.key), await callerOf(second.key)], [null, null]);
  assert.ok(await callerOf(others.key), 'keys of others stay');
  assert.deepEqual(
    (await other.request('DELETE', `${KEYS}?createdBy=${other.user.id}`)).body.revoked.length,
    1,
    'own ones',
  );
  const { entries } = (await admin.request('GET', `${PORTAL}/audit-log?action=key.revoked&limit=3`)).body;
  const targets = entries.map(({ target }: { target: string }) => target);
  assert.deepEqual(targets.slice(1).sort(), [first.id, second.id].sort());
});

const DAY_MS = 86_400_000;

test('KeyService: AGENT_RUNTIME_KEY_LIFETIME is the default lifetime', async (t) => {
  const app = await testApp(t, { keyLifetime: '90d' });
  const [user, admin] = [await newPerson(app, { role: 'USER' }), await newPerson(app, { role: 'ADMIN' })];
  const body = { label: 'theirs', scopes: ['events:read'] };
  const create = (person: typeof user, members: object = {}) =>
    person.request('POST', `${PORTAL}/keys`, { ...body, ...members });
  const daysOf = ({ expiresAt }: { expiresAt: string }) => Math.round((Date.parse(expiresAt) - Date.now()) / DAY_MS);
  for (const person of [user, admin]) assert.equal(daysOf((await create(person)).body), 90);
  const later = new Date(Date.now() + 91 * DAY_MS).toISOString();
  const sooner = new Date(Date.now() + DAY_MS).toISOString();
  assert.equal(daysOf((await create(user, { expiresAt: sooner })).body), 1);
  for (const expiresAt of [later, null]) {
    const refusal = /^expiresAt: must be .* at the latest \(AGENT_RUNTIME_KEY_LIFETIME\); an administrator/;
    const refused = await create(user, { expiresAt });
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, refusal);
    assert.equal((await create(admin, { expiresAt })).body.expiresAt, expiresAt);
  }
  const { keys } = app.runtime;
  const { expiresAt } = await keys.create(app.tenantId, { label: 'cli', scopes: ['*'], expiresAt: null }, null);
  assert.equal(expiresAt, null, 'the operator, too');
});
