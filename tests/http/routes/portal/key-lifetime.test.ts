import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../support/app.ts';
import { newPerson, PORTAL } from '../../../support/people.ts';

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
