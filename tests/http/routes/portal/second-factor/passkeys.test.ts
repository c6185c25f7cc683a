import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Authenticator } from '../../../../support/authenticator.ts';
import { changeUser, OWN_PAGE, PORTAL, withToken } from '../../../../support/people.ts';
import {
  addPasskey,
  FACTORS,
  factorApp,
  giveFactor,
  HOST,
  LOGIN,
  needed,
  ORIGIN,
  personWithPassword,
} from '../../../../support/second-factor.ts';
import { assertError } from '../../dashboards/support.ts';

const ELSEWHERE = 'https://kpi.example.net';

test('passkey: is the second factor after the password, with presence alone', async (t) => {
  const app = await factorApp(t);
  const person = await personWithPassword(app);
  const { authenticator, recoveryCodes } = await addPasskey(person);
  assert.equal(recoveryCodes?.length, 10);
  const { ticket, methods, passkeyOptions } = await needed(app, person.user.email);
  assert.deepEqual(methods, ['passkey', 'recoveryCode']);
  assert.equal(passkeyOptions.rpId, HOST);
  const passkey = authenticator.get(passkeyOptions, { origin: ORIGIN, verifiesUser: false });
  const answer = await giveFactor(app, { ticket, passkey });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.user.id, person.user.id);
  const { passkeys } = (await person.request('GET', FACTORS)).body;
  assert.deepEqual([passkeys[0].name, passkeys[0].host], ['Laptop', HOST]);
  assert.ok(passkeys[0].lastUsedAt);
});

test('passkey: another origin, host, challenge, key or user is refused', async (t) => {
  const app = await factorApp(t);
  const person = await personWithPassword(app);
  const { authenticator } = await addPasskey(person);
  const stranger = await addPasskey(await personWithPassword(app));
  const forged = new Authenticator();
  Object.defineProperty(forged, 'id', { value: authenticator.id });
  type Options = Parameters<Authenticator['get']>[0];
  const answers: ((options: Options) => object)[] = [
    (options) => authenticator.get(options, { origin: ELSEWHERE }),
    (options) => authenticator.get(options, { origin: 'http://kpi.example.com' }),
    (options) => authenticator.get(options, { origin: ORIGIN, rpId: 'example.com' }),
    (options) => authenticator.get({ ...options, challenge: 'AAAA' }, { origin: ORIGIN }),
    (options) => forged.get(options, { origin: ORIGIN }),
    (options) => stranger.authenticator.get(options, { origin: ORIGIN }),
    () => new Authenticator().get({ challenge: 'AAAA', rpId: HOST }, { origin: ORIGIN }),
  ];
  for (const [index, answer] of answers.entries()) {
    const { ticket, passkeyOptions } = await needed(app, person.user.email);
    const refused = await giveFactor(app, { ticket, passkey: answer(passkeyOptions) });
    assert.equal(refused.status, 422, `${index}: ${JSON.stringify(refused.body)}`);
    assert.match(refused.body.message, /^passkey: is not accepted/);
  }
});

test('passkey: a counter that stays or goes back is refused, and audited as a copy', async (t) => {
  const app = await factorApp(t);
  const person = await personWithPassword(app);
  const { authenticator } = await addPasskey(person);
  const give = async (counter: number) => {
    const { ticket, passkeyOptions } = await needed(app, person.user.email);
    const passkey = authenticator.get(passkeyOptions, { origin: ORIGIN, counter });
    return (await giveFactor(app, { ticket, passkey })).status;
  };
  assert.deepEqual(
    [await give(0), await give(7), await give(7), await give(0), await give(8)],
    [200, 200, 422, 422, 200],
  );
  await app.runtime.logins.settled();
  await app.runtime.audit.settled();
  const query = { action: 'login.failed', limit: 10, offset: 0 };
  const { items } = await app.runtime.audit.entries({ ...app.caller, role: 'ADMIN' }, query);
  assert.match(String(items[0]?.details.reason), /went back/);
});

test('passkey: an answer cannot be replayed', async (t) => {
  const app = await factorApp(t);
  const person = await personWithPassword(app);
  const { authenticator } = await addPasskey(person);
  const first = await needed(app, person.user.email);
  const passkey = authenticator.get(first.passkeyOptions, { origin: ORIGIN });
  const both = await Promise.all([1, 2].map(() => giveFactor(app, { ticket: first.ticket, passkey })));
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
  const second = await needed(app, person.user.email);
  assert.equal((await giveFactor(app, { ticket: second.ticket, passkey })).status, 422);
});

test('passkey: logs in alone when it has verified the user', async (t) => {
  const app = await factorApp(t);
  const person = await personWithPassword(app);
  const { authenticator } = await addPasskey(person);
  const logIn = async (make: (options: Parameters<Authenticator['get']>[0]) => object) => {
    const { ticket, passkeyOptions } = (await app.post(`${LOGIN}/passkey/options`, {})).body;
    assert.equal(passkeyOptions.allowCredentials?.length ?? 0, 0);
    const body = { ticket, passkey: make(passkeyOptions) };
    return { body, answer: await app.post(`${LOGIN}/passkey`, body) };
  };
  const { body, answer } = await logIn((options) => authenticator.get(options, { origin: ORIGIN }));
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal((await withToken(app, answer.body.token)('GET', `${PORTAL}/me`)).body.user.id, person.user.id);
  assertError(await app.post(`${LOGIN}/passkey`, body), 401, 'Unauthorized');
  const present = await logIn((options) => authenticator.get(options, { origin: ORIGIN, verifiesUser: false }));
  assertError(present.answer, 422, 'Unprocessable Entity');
  const unknown = await logIn((options) => new Authenticator().get(options, { origin: ORIGIN }));
  assertError(unknown.answer, 401, 'Unauthorized');
  await changeUser(app, person.user.id, { isActive: false });
  const inactive = await logIn((options) => authenticator.get(options, { origin: ORIGIN }));
  assertError(inactive.answer, 401, 'Unauthorized');
  const withCookie = { ticket: 'x', passkey: body.passkey, session: 'cookie' };
  assertError(await app.post(`${LOGIN}/passkey`, withCookie), 403, 'Forbidden');
  const own = await app.request('POST', `${LOGIN}/passkey`, withCookie, { 'x-api-key': '', ...OWN_PAGE });
  assertError(own, 401, 'Unauthorized');
});

test('passkey: a registration of another origin, or with a certificate, is refused', async (t) => {
  const app = await factorApp(t);
  const { request } = await personWithPassword(app);
  const register = async (make: (options: never) => object) => {
    const { passkeyOptions } = (await request('POST', `${FACTORS}/enrolment`, { method: 'passkey' })).body;
    return request('POST', `${FACTORS}/enrolment/confirm`, { passkey: make(passkeyOptions as never) });
  };
  const elsewhere = await register((options) => new Authenticator().create(options, { origin: ELSEWHERE }));
  assertError(elsewhere, 422, 'Unprocessable Entity');
  const otherHost = await register((options) =>
    new Authenticator().create(options, { origin: ORIGIN, rpId: 'example.com' }),
  );
  assertError(otherHost, 422, 'Unprocessable Entity');
  const mixed = await request('POST', `${FACTORS}/enrolment/confirm`, { code: '123456' });
  assertError(mixed, 400, 'Bad Request');
  assert.deepEqual((await request('GET', FACTORS)).body.passkeys, []);
});

test('passkey: one of somebody else cannot be registered again', async (t) => {
  const app = await factorApp(t);
  const { authenticator } = await addPasskey(await personWithPassword(app));
  const { request } = await personWithPassword(app);
  const begun = await request('POST', `${FACTORS}/enrolment`, { method: 'passkey' });
  const passkey = authenticator.create(begun.body.passkeyOptions, { origin: ORIGIN });
  const again = await request('POST', `${FACTORS}/enrolment/confirm`, { passkey });
  assertError(again, 422, 'Unprocessable Entity');
});

test('passkey: is renamed and removed by its user alone', async (t) => {
  const app = await factorApp(t);
  const person = await personWithPassword(app);
  await addPasskey(person, 'Phone');
  const other = await personWithPassword(app);
  const [{ id }] = (await person.request('GET', FACTORS)).body.passkeys;
  assertError(await other.request('PATCH', `${FACTORS}/passkeys/${id}`, { name: 'mine' }), 404, 'Not Found');
  assertError(await other.request('DELETE', `${FACTORS}/passkeys/${id}`), 404, 'Not Found');
  const renamed = await person.request('PATCH', `${FACTORS}/passkeys/${id}`, { name: 'Tablet' });
  assert.equal(renamed.body.name, 'Tablet');
  assert.equal((await person.request('DELETE', `${FACTORS}/passkeys/${id}`)).status, 204);
  const left = (await person.request('GET', FACTORS)).body;
  assert.deepEqual([left.passkeys, left.recoveryCodes], [[], 0], 'recovery codes go with the last factor');
  assert.equal(
    (await app.post(LOGIN, { email: person.user.email, password: 'correct horse battery staple' })).status,
    200,
  );
});

test('passkey: without a public URL they work at localhost alone', async (t) => {
  const app = await factorApp(t, { publicUrl: undefined });
  const person = await personWithPassword(app);
  const { port } = new URL(app.url);
  const refused = await person.request('POST', `${FACTORS}/enrolment`, { method: 'passkey' });
  assertError(refused, 422, 'Unprocessable Entity');
  assert.match(refused.body.message, /refuse IP addresses/);
  assert.equal((await person.request('GET', FACTORS)).body.passkeyHost, null);
  const local = atLocalhost(port, person.token);
  assert.equal((await local('GET', FACTORS)).body.passkeyHost, 'localhost');
  const { passkeyOptions } = (await local('POST', `${FACTORS}/enrolment`, { method: 'passkey' })).body;
  assert.equal(passkeyOptions.rp.id, 'localhost');
  const passkey = new Authenticator().create(passkeyOptions, { origin: `http://localhost:${port}` });
  assert.equal((await local('POST', `${FACTORS}/enrolment/confirm`, { passkey })).status, 200);
  const { methods } = await needed(app, person.user.email);
  assert.deepEqual(methods, ['recoveryCode'], 'at the IP address');
  assertError(await app.post(`${LOGIN}/passkey/options`, {}), 422, 'Unprocessable Entity');
});

/** Requests whose `Host` is localhost. */
function atLocalhost(port: string, token: string) {
  return async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body ? { body: JSON.stringify(body) } : {};
    const response = await fetch(`http://localhost:${port}${path}`, { method, headers, ...sent });
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
    return { status: response.status, body: (await response.json()) as any };
  };
}

test('passkey: logs nobody in alone who has no password', async (t) => {
  const app = await factorApp(t);
  const person = await personWithPassword(app, { password: undefined });
  const { authenticator } = await addPasskey(person);
  const { ticket, passkeyOptions } = (await app.post(`${LOGIN}/passkey/options`, {})).body;
  const passkey = authenticator.get(passkeyOptions, { origin: ORIGIN });
  assertError(await app.post(`${LOGIN}/passkey`, { ticket, passkey }), 401, 'Unauthorized');
});
