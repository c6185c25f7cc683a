import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeUser, PORTAL } from '../../../support/people.ts';
import { addUser, keyMadeBy, sessionOf } from '../../../support/users.ts';
import { ALERTS, alertApp, DIGESTS } from '../alerts/support.ts';

const HOOK = { type: 'webhook', url: 'https://hooks.example.com/alerts' };
const ALERT = {
  title: 'Few',
  question: { eventName: 'order', aggregation: 'count', dateGrouping: 'hour' },
  condition: { type: 'threshold', operator: 'lt', value: 10 },
  every: '*/5 * * * *',
  targets: [HOOK],
};

async function appWithPeople(t: Parameters<typeof alertApp>[0]) {
  const app = await alertApp(t, '2026-11-24T09:58:00Z');
  const [ana, bob] = [await addUser(app, { role: 'ADMIN' }), await addUser(app, { role: 'ADMIN' })];
  const as = { ana: await sessionOf(app, ana), bob: await sessionOf(app, bob) };
  const digest = { title: 'Numbers', cardIds: [await app.card()], every: '*/5 * * * *', targets: [HOOK] };
  const make = async (path: string, headers: Record<string, string>) => {
    const { status, body } = await app.request('POST', path, path === ALERTS ? ALERT : digest, headers);
    assert.equal(status, 201, JSON.stringify(body));
    return (body.alert ?? body.digest).id as string;
  };
  const get = async (path: string) => (await app.request('GET', path, undefined, as.bob)).body;
  const leave = () => app.request('PATCH', `${PORTAL}/users/${ana.id}`, { isActive: false }, as.bob);
  return { app, ana, bob, as, make, get, leave };
}

test('Leavers: alerts and digests of a deactivated user end, are listed, and say why', async (t) => {
  const { app, ana, bob, as, make, get, leave } = await appWithPeople(t);
  const anas = [await make(ALERTS, as.ana), await make(ALERTS, { 'x-api-key': await keyMadeBy(app, ana) })];
  const [digest, bobs] = [await make(DIGESTS, as.ana), await make(ALERTS, as.bob)];
  await app.until('2026-11-24T10:00:00Z');
  assert.equal((await app.messages(anas[0]!)).length, 1);
  await app.runtime.deliveryStore.add(app.tenantId, [
    {
      ...{
        id: 'waits',
        source: { kind: 'alert', id: anas[0]! },
        type: 'alert.ok',
        title: 'Few',
        targetType: 'webhook',
      },
      ...{ place: 'https://hooks.example.com', sealedTarget: 'x', body: '{}', createdAt: app.clock.time + 30_000 },
    },
  ]);
  assert.equal((await leave()).status, 200);

  const { alerts, total } = await get(`${ALERTS}?createdBy=${ana.id}`);
  assert.deepEqual([total, alerts.map(({ id }: { id: string }) => id).sort()], [2, anas.toSorted()]);
  for (const { enabled, disabledReason, nextCheckAt, state } of alerts) {
    assert.deepEqual([enabled, nextCheckAt, state], [false, null, 'ok']);
    assert.match(disabledReason, /The user who made it was deactivated/);
  }
  const { digests } = await get(`${DIGESTS}?createdBy=${ana.id}`);
  assert.deepEqual([digests.length, digests[0].id, digests[0].enabled, digests[0].nextAt], [1, digest, false, null]);
  assert.match(digests[0].disabledReason, /deactivated/);
  const { deliveries } = await get(`${ALERTS}/${anas[0]}/history`);
  const waits = deliveries.find(({ id }: { id: string }) => id === 'waits');
  assert.deepEqual([waits.state, waits.error], ['dead', 'It was not sent: the user who made it was deactivated.']);
  assert.equal((await get(`${ALERTS}/${bobs}`)).alert.enabled, true);
  await app.until('2026-11-24T10:12:00Z');
  assert.deepEqual([(await app.messages(anas[1]!)).length, (await app.messages(digest, 'digest')).length], [1, 1]);

  const switchOn = await app.request('PATCH', `${ALERTS}/${anas[0]}`, { enabled: true }, as.bob);
  assert.deepEqual([switchOn.body.alert.enabled, 'disabledReason' in switchOn.body.alert], [true, false]);
  await leave();
  assert.equal((await get(`${ALERTS}/${anas[0]}`)).alert.enabled, true, 'it is of who switched it on');
  assert.equal((await get(`${ALERTS}?createdBy=${bob.id}`)).total, 2);
  const lines = await app.runtime.audit.entries(
    { ...app.caller, role: 'ADMIN' },
    { action: 'alert.ended', limit: 10, offset: 0 },
  );
  assert.equal(lines.total, 2);
});

test('Leavers: one whose maker left by another way ends when it is due', async (t) => {
  const { app, ana, as, make, get } = await appWithPeople(t);
  const [alert, digest] = [await make(ALERTS, as.ana), await make(DIGESTS, as.ana)];
  await changeUser(app, ana.id, { isActive: false });
  await app.until('2026-11-24T10:02:00Z');
  assert.deepEqual([await app.messages(alert), await app.messages(digest, 'digest')], [[], []]);
  assert.equal((await get(`${ALERTS}/${alert}`)).alert.enabled, false);
  assert.match((await get(`${DIGESTS}/${digest}`)).digest.disabledReason, /deactivated/);
});
