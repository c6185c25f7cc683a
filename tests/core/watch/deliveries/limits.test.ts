import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeUser } from '../../../support/people.ts';
import { addUser } from '../../../support/users.ts';
import { ALERTS, alertApp, DIGESTS } from '../alerts/support.ts';
import { dispatching, SENT } from './support.ts';

const SMTP = { smtpUrl: 'smtp://127.0.0.1:1', smtpFrom: 'alerts@example.com' };
const QUESTION = { eventName: 'order', aggregation: 'count', dateGrouping: 'hour' };
const ALERT = { title: 'Few', question: QUESTION, condition: { type: 'threshold', operator: 'lt', value: 10 } };
const HOOK = { type: 'webhook', url: 'https://hooks.example.com/alerts' };

const mailTo = (count: number, domain = 'example.com') => ({
  type: 'email',
  to: Array.from({ length: count }, (_, index) => `person-${index}@${domain}`),
});

test('DeliveryLimits: waiting messages count in a quota; tests and schedules are told', async (t) => {
  const app = await alertApp(t, '2026-11-24T09:58:00Z', SMTP);
  const tenant = { id: app.tenantId };
  const scheduled = { every: '* * * * *', targets: [HOOK] };
  const alert = await app.create({ ...ALERT, ...scheduled });
  const digest = { title: 'Daily', cardIds: [await app.card()], ...scheduled };
  const { id } = (await app.request('POST', DIGESTS, digest)).body.digest;
  await app.runtime.quotas.changeTenant(tenant, { deliveries: 100 });
  app.clock.time += 1_000;
  for (const path of [`${ALERTS}/${alert}/test`, `${DIGESTS}/${id}/test`]) {
    const refused = await app.request('POST', path);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60']);
    assert.match(refused.body.message, /^The quota deliveries of the tenant does not allow this: 0 of 100 bytes/);
  }
  await app.until('2026-11-24T10:01:00Z');
  const { lastSent } = (await app.request('GET', `${DIGESTS}/${id}`)).body.digest;
  assert.match(lastSent.error, /^The quota deliveries of the tenant/);
  const { state, lastCheck } = await app.stateOf(alert);
  assert.equal(state, 'alerting');
  assert.match(lastCheck.error, /^No message was sent: The quota deliveries/);
  const { changes, deliveries } = await app.history(alert);
  assert.deepEqual([changes.length, changes[0].notified, deliveries], [1, false, []]);
  assert.match(changes[0].error, /^No message was sent/);
  await app.runtime.quotas.changeTenant(tenant, { deliveries: null });
  await app.until('2026-11-24T10:03:00Z');
  assert.deepEqual(await app.messages(alert), ['alert.alerting: Few: 0 is below 10'], 'it is sent later');
  assert.equal((await app.stateOf(alert)).lastCheck.error, null);
});

test('DeliveryLimits: tests and recipients have rates, which the refusals name', async (t) => {
  const app = await alertApp(t, '2026-11-24T09:58:00Z', SMTP);
  const plain = await app.create(ALERT);
  const wide = await app.create({ ...ALERT, targets: Array.from({ length: 10 }, () => mailTo(20)) });
  const send = (id: string) => app.request('POST', `${ALERTS}/${id}/test`);
  const wideTests = await Promise.all(Array.from({ length: 12 }, () => send(wide)));
  const refused = wideTests.filter(({ status }) => status === 429);
  assert.equal(refused.length, 2, 'ten of 200 recipients each');
  assert.match(refused[0]!.body.message, /2,000 recipients within an hour, and at most 2,000 are allowed/);
  assert.equal(refused[0]!.headers.get('retry-after'), '3600');
  for (let count = wideTests.length; count < 60; count += 1) assert.equal((await send(plain)).status, 200);
  const last = await send(plain);
  assert.deepEqual([last.status, last.headers.get('retry-after')], [429, '60']);
  assert.match(
    last.body.message,
    /tests of alerts and digests, and invitations by e-mail, of the tenant: 60 at once, then 1 a minute/,
  );
  app.clock.time += 3_600_000;
  assert.equal((await send(wide)).status, 200);
});

test('Recipients: users of the tenant and allowed domains alone are taken', async (t) => {
  const cases = [
    [{}, ['person-0@example.com', 'ana@other.example'], ['person-0@other.example', 'x@sub.example.com', 'eve@x.test']],
    [{ mailDomains: 'Partner.example' }, ['x@partner.EXAMPLE', 'ana@other.example'], ['person-0@example.com']],
    [{ mailDomains: ['*'] }, ['eve@x.test'], ['left@example.com']],
  ] as const;
  for (const [settings, allowed, refused] of cases) {
    const app = await alertApp(t, '2026-11-24T09:58:00Z', { ...SMTP, ...settings });
    await addUser(app, { email: 'Ana@other.example' });
    const left = await addUser(app, { email: 'left@example.com' });
    await changeUser(app, left.id, { isActive: false });
    const targets = (to: readonly string[]) => ({ targets: [HOOK, { type: 'email', to }] });
    const id = await app.create({ ...ALERT, ...targets(allowed) });
    for (const address of [...refused, 'left@example.com']) {
      const answers = [
        await app.request('POST', ALERTS, { ...ALERT, ...targets([address]) }),
        await app.request('PATCH', `${ALERTS}/${id}`, targets([address])),
      ];
      for (const { status, body } of answers) {
        assert.deepEqual([address, status], [address, 400]);
        const message = JSON.stringify(body.message);
        assert.ok(message.includes(`targets[1].to: ${address} is not allowed`), message);
        assert.ok(message.includes('AGENT_RUNTIME_MAIL_DOMAINS'), message);
      }
    }
  }
});

test('Recipients: who left gets neither tests nor messages, the others do', async (t) => {
  const app = await alertApp(t, '2026-11-24T09:58:00Z', SMTP);
  const { id: userId } = await addUser(app, { email: 'ana@other.example' });
  const id = await app.create({ ...ALERT, targets: [{ type: 'email', to: ['ana@other.example'] }] });
  await changeUser(app, userId, { isActive: false });
  const tested = await app.request('POST', `${ALERTS}/${id}/test`);
  assert.equal(tested.status, 400);
  assert.match(JSON.stringify(tested.body.message), /ana@other\.example is not allowed/);

  const refusedRecipients = async (_: string, addresses: readonly string[]) =>
    addresses.filter((address) => address.startsWith('left'));
  const { clock, add, sent, state } = await dispatching(t, () => SENT, { refusedRecipients });
  await add('one', [{ type: 'email', to: ['left@example.com', 'bob@example.com'] }]);
  await clock.advance(0);
  assert.deepEqual(sent[0]?.target, { type: 'email', to: ['bob@example.com'] });
  const error = (await state())?.error ?? '';
  assert.match(error, /^left@example\.com: not sent; the active users.*\. The other addresses got the message\.$/);
  await add('one', [{ type: 'email', to: ['left@example.com'] }]);
  await clock.advance(0);
  assert.deepEqual([sent.length, (await state())?.state], [1, 'dead']);
});
