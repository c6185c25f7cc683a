import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { STATE_FILE } from '../../../../../src/storage/installation/names.ts';
import { skipOnServers } from '../../../../support/app.ts';
import { changeUser, OWN_PAGE, PORTAL, withCookie, withToken } from '../../../../support/people.ts';
import {
  codeOf,
  factorApp,
  giveFactor,
  LOGIN,
  needed,
  PASSWORD,
  personWithApp,
  personWithPassword,
  wrongCode,
} from '../../../../support/second-factor.ts';
import { assertError } from '../../dashboards/support.ts';

test('second factor: a right password gets a ticket, and the code the session', async (t) => {
  const app = await factorApp(t);
  const { email, secret, user } = await personWithApp(app);
  const { ticket, methods, enrol, passkeyOptions } = await needed(app, email);
  assert.deepEqual([methods, enrol, passkeyOptions], [['code', 'recoveryCode'], false, null]);
  const answer = await giveFactor(app, { ticket, code: await codeOf(app, secret) });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.user.id, user.id);
  assert.match(answer.headers.get('set-cookie') ?? '', /^ar_device=/);
  assert.equal((await withToken(app, answer.body.token)('GET', `${PORTAL}/me`)).status, 200);
  assert.equal((await withToken(app, ticket)('GET', `${PORTAL}/me`)).status, 401, 'a ticket is no session');
});

test('second factor: a page of this server gets the cookie, others are refused', async (t) => {
  const app = await factorApp(t);
  const { email, secret } = await personWithApp(app);
  const { ticket } = await needed(app, email);
  const body = { ticket, code: await codeOf(app, secret), session: 'cookie' };
  assertError(await giveFactor(app, body), 403, 'Forbidden');
  const answer = await app.request('POST', `${LOGIN}/second-factor`, body, { 'x-api-key': '', ...OWN_PAGE });
  assert.equal(answer.status, 200);
  const token = /ar_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
  assert.equal((await withCookie(app, token!)('GET', `${PORTAL}/me`)).status, 200);
});

test('second factor: a code works once, with whatever ticket, also after a wrong clock', async (t) => {
  const app = await factorApp(t);
  const { email, secret } = await personWithApp(app);
  const code = await codeOf(app, secret);
  const [first, second] = [await needed(app, email), await needed(app, email)];
  assert.equal((await giveFactor(app, { ticket: first.ticket, code })).status, 200);
  assertError(await giveFactor(app, { ticket: second.ticket, code }), 422, 'Unprocessable Entity');
  app.advance(-30_000);
  const { ticket } = await needed(app, email);
  assert.equal((await giveFactor(app, { ticket, code: await codeOf(app, secret) })).status, 422, 'an earlier step');
});

test('second factor: a recovery code works once, as it is typed', async (t) => {
  const app = await factorApp(t);
  const { email, recoveryCodes } = await personWithApp(app);
  assert.equal(recoveryCodes.length, 10);
  const typed = recoveryCodes[0]!.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l');
  const give = async (recoveryCode: string) =>
    giveFactor(app, { ticket: (await needed(app, email)).ticket, recoveryCode });
  assert.equal((await give(typed)).status, 200);
  assertError(await give(recoveryCodes[0]!), 422, 'Unprocessable Entity');
  assert.equal((await give(recoveryCodes[9]!)).status, 200);
});

test('second factor: a ticket ends with use, time, failures and a new password', async (t) => {
  const app = await factorApp(t);
  const { email, secret, recoveryCodes, user } = await personWithApp(app);
  const spent = async (prepare: (ticket: string) => Promise<unknown>) => {
    const { ticket } = await needed(app, email);
    await prepare(ticket);
    assertError(await giveFactor(app, { ticket, code: await codeOf(app, secret) }), 401, 'Unauthorized');
  };
  await spent((ticket) => giveFactor(app, { ticket, recoveryCode: recoveryCodes[0] }));
  await spent(async () => app.advance(5 * 60_000));
  await spent(async (ticket) => {
    for (let count = 0; count < 5; count++) await giveFactor(app, { ticket, recoveryCode: 'wrong' });
  });
  await spent(async () => {
    for (let count = 0; count < 5; count++) await needed(app, email);
  });
  await spent(async () => changeUser(app, user.id, { sessionVersion: app.now() }));
  await spent(async () => changeUser(app, user.id, { isActive: false }));
  assertError(await giveFactor(app, { ticket: 'unknown', code: '123456' }), 401, 'Unauthorized');
});

test('second factor: five wrong codes of a user in any tickets lock codes alone', async (t) => {
  const app = await factorApp(t);
  const { email, secret, recoveryCodes, user } = await personWithApp(app);
  const other = await personWithApp(app);
  const give = async (proof: object) => giveFactor(app, { ticket: (await needed(app, email)).ticket, ...proof });
  for (let count = 0; count < 5; count++) {
    assertError(await give({ code: await wrongCode(app, secret) }), 422, 'Unprocessable Entity');
  }
  const refused = await give({ code: await codeOf(app, secret) });
  assertError(refused, 429, 'Too Many Requests');
  assert.ok(Number(refused.headers.get('retry-after')) > 600);
  assert.equal((await give({ recoveryCode: recoveryCodes[0] })).status, 200);
  const { ticket } = await needed(app, other.email);
  assert.equal((await giveFactor(app, { ticket, code: await codeOf(app, other.secret) })).status, 200);
  assert.ok((await app.runtime.logins.unlock(user)).failures >= 5);
  assert.equal((await give({ code: await codeOf(app, secret) })).status, 200);
});

test('second factor: one proof is needed, and of the right shape', async (t) => {
  const app = await factorApp(t);
  for (const body of [
    { ticket: 'x' },
    { ticket: 'x', code: '123456', recoveryCode: 'x' },
    { ticket: 'x', code: '12345' },
    { ticket: 'x', passkey: { id: '', response: {} } },
    { code: '123456' },
  ]) {
    assertError(await giveFactor(app, body), 400, 'Bad Request');
  }
});

test('second factor: the audit log has how, and why not, without codes', async (t) => {
  const app = await factorApp(t);
  const { email, secret, user } = await personWithApp(app);
  const { ticket } = await needed(app, email);
  const [right, wrong] = [await codeOf(app, secret), await wrongCode(app, secret)];
  await giveFactor(app, { ticket, code: wrong });
  await giveFactor(app, { ticket, code: right });
  await app.runtime.logins.settled();
  const { items } = await app.runtime.audit.entries({ ...app.caller, role: 'ADMIN' }, { limit: 100, offset: 0 });
  const lines = items.filter(({ target }) => target === user.id);
  const detailsOf = (wanted: string) => lines.find(({ action }) => action === wanted)?.details;
  const address = '127.0.0.1';
  assert.equal(lines.length, 3);
  assert.deepEqual(detailsOf('second_factor.added'), { method: 'code' });
  assert.deepEqual(detailsOf('login.failed'), { address, reason: 'wrong code' });
  assert.deepEqual(detailsOf('login.succeeded'), { address, secondFactor: 'code' });
  const text = JSON.stringify(items);
  for (const secretText of [secret, right, wrong]) assert.ok(!text.includes(secretText));
});

test('second factor: a login link does not ask for it', async (t) => {
  const app = await factorApp(t);
  const { user } = await personWithApp(app);
  const secret = await app.runtime.logins.issueLink(user, 60_000);
  const answer = await app.request('POST', `${LOGIN}/link`, { secret }, { 'x-api-key': '', ...OWN_PAGE });
  assert.equal(answer.status, 200);
});

test('second factor: where it is required, the first login adds one', async (t) => {
  const app = await factorApp(t);
  const { user, request } = await personWithPassword(app, { role: 'ADMIN' });
  const plain = await personWithPassword(app);
  const changed = await request('PATCH', `${PORTAL}/settings`, { secondFactor: 'administrators' });
  assert.equal(changed.body.secondFactor, 'administrators');
  assert.equal((await request('GET', `${PORTAL}/me`)).status, 200, 'sessions stay');
  assert.equal((await app.post(LOGIN, { email: plain.user.email, password: PASSWORD })).status, 200);
  const { ticket, enrol, methods } = await needed(app, user.email);
  assert.deepEqual([enrol, methods], [true, []]);
  assertError(await giveFactor(app, { ticket, code: '123456' }), 401, 'Unauthorized');
  const confirm = (body: object) => app.post(`${LOGIN}/second-factor/enrolment/confirm`, { ticket, ...body });
  assertError(await confirm({ code: '123456' }), 422, 'Unprocessable Entity');
  const begun = await app.post(`${LOGIN}/second-factor/enrolment`, { ticket, method: 'code' });
  const { secret, uri } = begun.body.totp;
  assert.match(uri, /^otpauth:\/\/totp\/Agent%20Runtime%20\(kpi.example.com\):person-\d+%40example.com\?/);
  assertError(await confirm({ code: await wrongCode(app, secret) }), 422, 'Unprocessable Entity');
  const confirmed = await confirm({ code: await codeOf(app, secret) });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  assert.equal(confirmed.body.recoveryCodes.length, 10);
  assert.equal((await withToken(app, confirmed.body.token)('GET', `${PORTAL}/me`)).status, 200);
  assertError(await confirm({ code: await codeOf(app, secret) }), 401, 'Unauthorized');
  app.advance();
  const next = await needed(app, user.email);
  assert.equal(next.enrol, false);
  assert.equal((await giveFactor(app, { ticket: next.ticket, code: await codeOf(app, secret) })).status, 200);
});

test('second factor: a password alone adds no factor to those of the user', async (t) => {
  const app = await factorApp(t);
  await app.runtime.tenants.changeSettings('default', { secondFactor: 'everyone' }, null);
  const person = await personWithPassword(app);
  const { ticket } = await needed(app, person.user.email);
  const begun = await app.post(`${LOGIN}/second-factor/enrolment`, { ticket, method: 'code' });
  const mine = await person.request('POST', '/api/v1/portal/me/second-factor/enrolment', { method: 'code' });
  const confirmMine = { code: await codeOf(app, mine.body.totp.secret) };
  assert.equal(
    (await person.request('POST', '/api/v1/portal/me/second-factor/enrolment/confirm', confirmMine)).status,
    200,
  );
  const code = await codeOf(app, begun.body.totp.secret);
  const late = await app.post(`${LOGIN}/second-factor/enrolment/confirm`, { ticket, code });
  assertError(late, 409, 'Conflict');
});

test('second factor: an attempt counts for its address until it succeeds', async (t) => {
  const app = await factorApp(t);
  const { email, secret, user } = await personWithApp(app);
  const { logins } = app.runtime;
  const counted: { user: string | null; isUndone: boolean }[] = [];
  const { addressAttempt } = logins;
  logins.addressAttempt = async (client, of) => {
    const attempt = await addressAttempt.call(logins, client, of);
    const one = { user: of?.id ?? null, isUndone: false };
    counted.push(one);
    return {
      undo: () => {
        one.isUndone = true;
        return attempt.undo();
      },
    };
  };
  const { ticket } = await needed(app, email);
  await giveFactor(app, { ticket: 'unknown', code: '123456' });
  await giveFactor(app, { ticket, code: await wrongCode(app, secret) });
  await giveFactor(app, { ticket, code: await codeOf(app, secret) });
  assert.deepEqual(counted, [
    { user: null, isUndone: false },
    { user: user.id, isUndone: false },
    { user: user.id, isUndone: true },
  ]);
});

test('second factor: another e-mail does not begin the count of wrong codes anew', async (t) => {
  const app = await factorApp(t);
  const { email, secret, user } = await personWithApp(app);
  const wrong = await wrongCode(app, secret);
  const { ticket } = await needed(app, email);
  for (let count = 0; count < 4; count++) await giveFactor(app, { ticket, code: wrong });
  const changed = await app.request('PATCH', `/api/v1/runtime/users/${user.id}`, { email: 'another@example.com' });
  assert.equal(changed.status, 200);
  const renamed = await needed(app, 'another@example.com');
  assertError(await giveFactor(app, { ticket: renamed.ticket, code: wrong }), 422, 'Unprocessable Entity');
  assertError(await giveFactor(app, { ticket: renamed.ticket, code: wrong }), 429, 'Too Many Requests');
});

test('second factor: a ticket ends after fifteen minutes, however often it begins', async (t) => {
  const app = await factorApp(t);
  const admin = await personWithPassword(app, { role: 'ADMIN' });
  await admin.request('PATCH', `${PORTAL}/settings`, { secondFactor: 'everyone' });
  const { user } = await personWithPassword(app);
  const { ticket } = await needed(app, user.email);
  const begin = () => app.post(`${LOGIN}/second-factor/enrolment`, { ticket, method: 'code' });
  for (const minutes of [4, 8, 12]) {
    app.advance(4 * 60_000);
    assert.equal((await begin()).status, 200, `after ${minutes} minutes`);
  }
  app.advance(4 * 60_000);
  assertError(await begin(), 401, 'Unauthorized');
});

test('second factor: a ticket is void once password logins are switched off', { skip: skipOnServers }, async (t) => {
  const app = await factorApp(t);
  const { email, secret } = await personWithApp(app);
  const { ticket } = await needed(app, email);
  const database = new BetterSqlite3(join(app.runtime.config.dataDir, STATE_FILE), { timeout: 5_000 });
  database.exec('UPDATE tenants SET password_login = 0');
  database.close();
  assertError(await giveFactor(app, { ticket, code: await codeOf(app, secret) }), 401, 'Unauthorized');
});
