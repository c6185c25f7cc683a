import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as rawRequest } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseKey } from '../../src/core/access/auth/secrets.ts';
import { EVENTS, type TestApp } from '../support/app.ts';
import { changeUser, newPerson, PORTAL } from '../support/people.ts';
import { appOfThisFile } from '../support/shared.ts';
import { reviewsOf } from './routes/reviews/support.ts';

const sharedApp = appOfThisFile({ rateLimit: 0 });

/** Longer than an authentication is trusted. */
const HELD_MS = 700;

/** Sends a request whose last byte is delayed, runs `meanwhile`, and returns the response. */
async function heldBack(
  { url }: TestApp,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: object },
  meanwhile: () => unknown,
): Promise<{ status: number | undefined; text: string }> {
  const bytes = JSON.stringify(body);
  const request = rawRequest(`${url}${path}`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...{ 'content-length': String(Buffer.byteLength(bytes)), ...headers },
    },
  });
  request.write(bytes.slice(0, -1));
  // The caller is authenticated by now, and the request has had no effect.
  await sleep(HELD_MS / 2);
  await meanwhile();
  await sleep(HELD_MS);
  request.end(bytes.slice(-1));
  const [response] = await once(request, 'response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode, text };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const EVENT = { events: [{ eventName: 'held back' }] };
const CALL = {
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'aggregate_events', arguments: { eventName: 'held back', aggregation: 'count' } },
};

test('authenticateAgain: a caller with the right is answered after a slow body', async () => {
  const app = await sharedApp();
  const { token } = await newPerson(app, { role: 'USER' });
  const nothing = () => undefined;
  const [byKey, byUser, overMcp] = await Promise.all([
    heldBack(app, EVENTS, { headers: { 'x-api-key': app.key }, body: EVENT }, nothing),
    heldBack(app, EVENTS, { headers: bearer(token), body: EVENT }, nothing),
    heldBack(app, '/mcp', { headers: bearer(token), body: CALL }, nothing),
  ]);
  assert.deepEqual([byKey.status, byUser.status, overMcp.status], [202, 202, 200]);
  assert.match(overMcp.text, /"basis"/);
});

test('authenticateAgain: a key revoked during a slow body is 401, without effect', async () => {
  const app = await sharedApp();
  const [key, another] = [await app.newKey(), await app.newKey()];
  const revoke = (one: string) => () => app.runtime.keys.revoke(parseKey(one)!.id, null);
  const review = { rating: 'good', comment: 'of a revoked key' };
  const [answer, called] = await Promise.all([
    heldBack(app, reviewsOf('held back'), { headers: { 'x-api-key': key }, body: review }, revoke(key)),
    heldBack(app, '/mcp', { headers: bearer(another), body: CALL }, revoke(another)),
  ]);
  for (const { status, text } of [answer, called]) {
    assert.deepEqual([status, JSON.parse(text).message], [401, 'The API key has been revoked.']);
  }
  assert.equal((await app.request('GET', `${reviewsOf('held back')}/exists`)).body.exists, false);
});

test('authenticateAgain: a user demoted or deactivated during a body is refused', async () => {
  const app = await sharedApp();
  const [demoted, gone, reader] = [
    await newPerson(app, { role: 'ADMIN' }),
    await newPerson(app, { role: 'ADMIN' }),
    await newPerson(app, { role: 'USER' }),
  ];
  const invite = (email: string) => ({ email, name: 'A friend', role: 'ADMIN' });
  const [byDemoted, byGone, byReader] = await Promise.all([
    heldBack(app, `${PORTAL}/users`, { headers: bearer(demoted.token), body: invite('one@example.com') }, () =>
      changeUser(app, demoted.user.id, { role: 'VIEWER' }),
    ),
    heldBack(app, `${PORTAL}/users`, { headers: bearer(gone.token), body: invite('two@example.com') }, () =>
      changeUser(app, gone.user.id, { isActive: false }),
    ),
    heldBack(app, '/mcp', { headers: bearer(reader.token), body: CALL }, () =>
      changeUser(app, reader.user.id, { isActive: false }),
    ),
  ]);
  assert.deepEqual([byDemoted.status, byGone.status, byReader.status], [403, 401, 401]);
  const everyone = await app.runtime.users.listAll(app.tenantId);
  assert.deepEqual(
    everyone.filter(({ name }) => name === 'A friend'),
    [],
  );
});
