import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rejectionOf } from '../../../outbound/support.ts';
import { settled } from '../../../support/clock.ts';
import { dispatching, MESSAGE, SOURCE, WEBHOOK } from './support.ts';

test('Deliveries: one delivery for each target, with the target sealed', async (t) => {
  const { deliveries, store, sent } = await dispatching(t);
  const email = { type: 'email' as const, to: ['ana@example.com'] };
  const title = `Two\r\nlines ${'a'.repeat(300)}`;
  const message = { ...MESSAGE, title };
  const prepared = await deliveries.prepare('one', SOURCE, { targets: [WEBHOOK, email], message });
  assert.equal(new Set(prepared.map(({ id }) => id)).size, 2);
  assert.deepEqual(
    prepared.map(({ targetType, place }) => [targetType, place]),
    [
      ['webhook', 'https://hooks.example.com'],
      ['email', 'ana@example.com'],
    ],
  );
  assert.match(prepared[0]!.title, /^Two lines a{190}$/);
  assert.doesNotMatch(JSON.stringify(prepared), /whsec_|a-secret-path/);
  await settled();
  assert.deepEqual([sent.length, await store.counts()], [0, { waiting: 0, sent: 0, dead: 0 }], 'prepared only');
  await deliveries.add('one', prepared);
  await settled();
  assert.equal(sent.length, 2);
  assert.equal((await deliveries.list('one', SOURCE, 10)).length, 2);
  assert.deepEqual(await deliveries.list('two', SOURCE, 10), []);
});

test('Deliveries: a message that is too large and an unknown tenant are refused', async (t) => {
  const { deliveries } = await dispatching(t);
  const png = 'a'.repeat(10 * 1024 * 1024);
  const message = { ...MESSAGE, pictures: [{ name: 'a.png', cid: 'a', png }] };
  const email = { type: 'email' as const, to: ['ana@example.com'] };
  const refused = await rejectionOf(deliveries.prepare('one', SOURCE, { targets: [WEBHOOK, email], message }));
  assert.equal(refused.message, 'The message has more than 10 MB. Send it with fewer or smaller pictures.');
  const [plain] = await deliveries.prepare('one', SOURCE, { targets: [WEBHOOK], message });
  assert.equal(plain?.body, JSON.stringify(MESSAGE), 'pictures are for e-mail alone');
  const prepared = await deliveries.prepare('nobody', SOURCE, { targets: [WEBHOOK], message: MESSAGE });
  assert.match((await rejectionOf(deliveries.add('nobody', prepared))).message, /tenant was removed/);
});
