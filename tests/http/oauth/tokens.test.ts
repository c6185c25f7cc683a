import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../src/core/base/shared/effects.ts';
import { testApp } from '../../support/app.ts';
import { allow, authorize, callMcp, connect, exchange, refresh, tokenRequest } from '../../support/oauth.ts';
import { changeUser, newPerson } from '../../support/people.ts';
import { tenantsOfThisFile } from '../../support/shared.ts';

const newApp = tenantsOfThisFile();

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** The server's clock can be set forward. */
function movable() {
  let ahead = 0;
  return {
    effects: { ...realEffects, now: () => Date.now() + ahead },
    forward: (ms: number) => {
      ahead += ms;
    },
  };
}

test('Refresh tokens: parallel requests with one token both get new ones', async (t) => {
  const app = await newApp(t);
  const { clientId, tokens } = await connect(app, await newPerson(app));
  const answers = await Promise.all([1, 2, 3].map(() => refresh(app, clientId, tokens.refresh_token)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  for (const { body } of answers) assert.equal((await refresh(app, clientId, body.refresh_token)).status, 200);
});

test('Refresh tokens: one that comes again after any number of others ends the grant', async (t) => {
  const { effects, forward } = movable();
  const app = await testApp(t, { rateLimit: 0 }, effects);
  const person = await newPerson(app, { role: 'ADMIN' });
  const { clientId, tokens } = await connect(app, person);
  let stolen = tokens;
  for (let rotation = 0; rotation < 55; rotation += 1)
    stolen = (await refresh(app, clientId, stolen.refresh_token)).body;
  forward(2 * MINUTE);
  const made = tokens.refresh_token.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'));
  assert.equal((await refresh(app, clientId, made)).status, 400);
  assert.equal((await callMcp(app, stolen.access_token)).status, 200, 'a token that was never issued ends nothing');
  const owner = await refresh(app, clientId, tokens.refresh_token);
  assert.deepEqual([owner.status, owner.body.error], [400, 'invalid_grant']);
  assert.equal((await callMcp(app, stolen.access_token)).status, 401);
  assert.equal((await refresh(app, clientId, stolen.refresh_token)).status, 400);
  const { body } = await person.request('GET', '/api/v1/portal/audit-log?action=grant.ended');
  assert.equal(body.entries[0].details.reason, 'a used refresh token or code came again');
  assert.equal((await refresh(app, clientId, tokens.refresh_token)).body.error, 'invalid_grant');
  assert.equal((await person.request('GET', '/api/v1/portal/audit-log?action=grant.ended')).body.total, body.total);
});

test('Refresh tokens: are of one client, and give no more than was allowed', async (t) => {
  const app = await newApp(t);
  const person = await newPerson(app);
  const [one, other] = [await connect(app, person), await connect(app, person, { scope: 'mcp:read' })];
  const foreign = await refresh(app, other.clientId, one.tokens.refresh_token);
  assert.deepEqual([foreign.status, foreign.body.error], [400, 'invalid_grant']);
  const grant = { grant_type: 'refresh_token', client_id: other.clientId, refresh_token: other.tokens.refresh_token };
  const wider = await tokenRequest(app, { ...grant, scope: 'mcp:read events:write' });
  assert.deepEqual([wider.status, wider.body.error], [400, 'invalid_scope']);
});

test('Access tokens: end after an hour, and with the grant', async (t) => {
  const { effects, forward } = movable();
  const app = await testApp(t, {}, effects);
  const person = await newPerson(app);
  const { tokens } = await connect(app, person, { days: 1 });
  forward(HOUR + MINUTE);
  const expired = await callMcp(app, tokens.access_token);
  assert.equal(expired.status, 401);
  assert.match(expired.body.message, /The access token has expired/);
  assert.match(expired.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
});

test('Codes: work once; the second use ends the grant', async (t) => {
  const app = await newApp(t);
  const begun = await authorize(app);
  const code = (await allow(app, await newPerson(app), begun, { scopes: ['mcp:read'] })).searchParams.get('code')!;
  const first = await exchange(app, begun, code);
  assert.equal(first.status, 200);
  const again = await exchange(app, begun, code);
  assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
  assert.equal((await callMcp(app, first.body.access_token)).status, 401);
});

test('Revocation: ends the grant, and tells nothing of unknown tokens', async (t) => {
  const app = await newApp(t);
  const person = await newPerson(app, { role: 'ADMIN' });
  const { clientId, tokens } = await connect(app, person);
  const revoke = (token: string, client: string) =>
    app.request('POST', '/oauth/revoke', String(new URLSearchParams({ token, client_id: client })), {
      'content-type': 'application/x-www-form-urlencoded',
    });
  const other = await connect(app, person);
  assert.equal((await revoke(tokens.refresh_token, other.clientId)).status, 200);
  assert.equal((await callMcp(app, tokens.access_token)).status, 200, 'of another client: not revoked');
  assert.equal((await revoke('unknown', clientId)).status, 200);
  assert.equal((await revoke(other.tokens.access_token, other.clientId)).status, 200);
  assert.equal(
    (await refresh(app, other.clientId, other.tokens.refresh_token)).status,
    400,
    'its access token ends it, too',
  );
  assert.equal((await revoke(tokens.refresh_token, clientId)).status, 200);
  assert.equal((await callMcp(app, tokens.access_token)).status, 401);
  const { body } = await person.request('GET', '/api/v1/portal/audit-log?action=grant.ended');
  const [{ actor, details }] = body.entries;
  assert.deepEqual(
    [details.reason, actor.label, actor.client],
    ['revoked by the application', person.user.email, `Test Host (${clientId})`],
  );
});

test('Introspection: for applications to which the operator gave it', async (t) => {
  const app = await newApp(t);
  const person = await newPerson(app);
  const { tokens } = await connect(app, person, { scope: 'mcp:read metrics:write' });
  const { oauthClients, grants, oauthStore } = app.runtime;
  const redirectUris = ['https://gateway.example.com/callback'];
  const [gateway, plain] = [
    await oauthClients.configure({ name: 'Gateway', redirectUris, introspection: true }),
    await oauthClients.configure({ name: 'Plain', redirectUris, confidential: true }),
  ];
  const inspect = async ({ clientId, clientSecret }: typeof gateway, secret = clientSecret) => {
    const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
    const headers = { authorization, 'x-api-key': '', 'content-type': 'application/x-www-form-urlencoded' };
    return app.request('POST', '/oauth/introspect', `token=${tokens.access_token}`, headers);
  };
  const { body } = await inspect(gateway);
  assert.deepEqual([body.active, body.scope, body.aud], [true, 'mcp:read metrics:write', `${app.url}/mcp`]);
  assert.deepEqual((await inspect(plain)).body, { active: false });
  assert.equal((await inspect(gateway, 'wrong')).status, 401);
  await changeUser(app, person.user.id, { role: 'VIEWER' });
  assert.equal((await inspect(gateway)).body.scope, 'mcp:read', 'what the token may do now');
  await grants.end((await oauthStore.findToken(tokens.access_token))!.grant.id, null);
  assert.deepEqual((await inspect(gateway)).body, { active: false });
});

test('Grants: a reset of the second factor ends them', async (t) => {
  const app = await newApp(t);
  const person = await newPerson(app);
  const { clientId, tokens } = await connect(app, person);
  assert.equal((await callMcp(app, tokens.access_token)).status, 200);
  await app.runtime.secondFactors.reset(null, person.user.id);
  assert.equal((await callMcp(app, tokens.access_token)).status, 401);
  assert.equal((await refresh(app, clientId, tokens.refresh_token)).status, 400);
});
