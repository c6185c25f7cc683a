import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { routes } from '../../src/http/app.ts';
import { examples } from '../../src/http/docs/examples/index.ts';
import { operationIdOf } from '../../src/http/docs/openapi.ts';
import type { Route } from '../../src/http/route.ts';
import { EVENTS } from '../support/app.ts';
import { authorize } from '../support/oauth.ts';
import { newPerson, PORTAL, withCookie } from '../support/people.ts';
import { appOfThisFile } from '../support/shared.ts';

const sharedApp = appOfThisFile({ rateLimit: 0 });
/** Its only tenant has an administrator who operates the installation. */
const operatedApp = appOfThisFile({ rateLimit: 0 });
const isOperated = ({ access }: Route) => access === 'portal:operator';
const UNKNOWN = '0190a5a0-0000-7000-8000-000000000000';
const nameOf = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`;
const addressOf = ({ path }: Route) => path.replace(/:(id|\w+Id)\b/g, UNKNOWN).replace(/:\w+/g, 'x');

/** The first documented body in JSON of a route. */
function sampleOf(route: Route): object {
  const exchanges = Object.values(examples[operationIdOf(route)] ?? {});
  const found = exchanges.find(({ body, contentType }) => contentType === undefined && typeof body === 'object');
  return (found?.body ?? {}) as object;
}

/** Members that would give rights if they were taken. */
const RIGHTS = {
  ...{ role: 'SUPER_ADMIN', roles: ['SUPER_ADMIN'], user_role: 'ADMIN', scopes: ['*'], scope: '*', isAdmin: true },
  ...{ tenantId: UNKNOWN, tenant: 'other', userId: UNKNOWN, createdBy: 'somebody', permissions: ['*'], isActive: true },
  ...{ limits: {}, roleLimits: {} },
  ...{ credential: { kind: 'user' }, sessionId: UNKNOWN, secondFactorAt: 0, passwordHash: 'x', approvedVersion: 1 },
};

/** Members of a body that a request may have: what they may say is checked below. */
const TAKEN: Record<string, string[]> = {
  'PATCH /api/v1/runtime/users/:id': ['role', 'isActive'],
  'POST /api/v1/portal/keys': ['scopes', 'limits'],
  'POST /api/v1/portal/authorizations/:id/allow': ['scopes', 'limits'],
  'PATCH /api/v1/portal/settings': ['roleLimits'],
  'POST /api/v1/portal/users': ['role'],
  'POST /api/v1/portal/invitations': ['role'],
  'PATCH /api/v1/portal/users/:id': ['role', 'isActive'],
  'POST /api/v1/portal/login': ['tenant'],
  // The end user of an application, who is no user of the tenant.
  'POST /api/v1/runtime/v1/chat/stream': ['userId'],
  'POST /api/v1/runtime/v1/observability/executions': ['userId'],
  // The typed name of one's own, or an end user.
  'POST /api/v1/portal/erasure': ['tenant', 'userId'],
  // Scopes of OpenID Connect, which the provider is asked for.
  'POST /api/v1/portal/identity-providers': ['scopes'],
  'PATCH /api/v1/portal/identity-providers/:id': ['scopes'],
};

test('Rights: no body takes a member that would give some', async () => {
  const app = await operatedApp();
  const admin = await newPerson(app, { role: 'SUPER_ADMIN' });
  const taken: string[] = [];
  for (const route of routes.filter(({ body }) => body)) {
    const refused = Object.entries(RIGHTS).filter(([member]) => !TAKEN[nameOf(route)]?.includes(member));
    const body = { ...sampleOf(route), ...Object.fromEntries(refused) };
    const { status, body: answer } = await admin.request(route.method.toUpperCase(), addressOf(route), body);
    const text = JSON.stringify(answer);
    for (const [member] of refused) {
      if (status !== 400 || !new RegExp(`["; ]${member}: unknown member`).test(text))
        taken.push(`${nameOf(route)} ${member}: ${text}`);
    }
  }
  assert.deepEqual(taken, []);
});

test('Rights: no query, form or event does either; nobody gives what they lack', async () => {
  const app = await sharedApp();
  const [user, admin] = [await newPerson(app, { role: 'USER' }), await newPerson(app, { role: 'ADMIN' })];
  await app.runtime.tenants.create({ name: 'other' });
  const stranger = await newPerson(app, { tenant: 'other' });
  for (const route of routes.filter(({ query }) => query)) {
    const sent = route.body ? sampleOf(route) : undefined;
    const address = `${addressOf(route)}?tenantId=${UNKNOWN}`;
    const { status, body } = await admin.request(route.method.toUpperCase(), address, sent);
    assert.equal(status, 400, `${nameOf(route)}: ${JSON.stringify(body)}`);
  }
  const form = new FormData();
  form.set('file', new Blob(['hello']), 'hello.txt');
  form.set('vectorStore', 'help');
  form.set('tenantId', stranger.user.tenantId);
  const ingest = `${app.url}/api/v1/runtime/v1/vectors/files/ingest`;
  const uploaded = await fetch(ingest, { method: 'POST', headers: { 'x-api-key': app.key }, body: form });
  assert.equal(uploaded.status, 400, await uploaded.text());

  const begun = await authorize(app, { scope: 'mcp:read' });
  const makesUsers = await app.newKey({ scopes: ['users:write'] });
  const byKey = { 'x-api-key': makesUsers };
  const own = `/api/v1/runtime/users/${user.user.id}`;
  const event = { eventName: 'a', tenantId: stranger.user.tenantId };
  for (const [who, method, path, body, expected, headers] of [
    [user, 'POST', `${PORTAL}/keys`, { label: 'x', scopes: ['*'] }, 403],
    [user, 'POST', `${PORTAL}/keys`, { label: 'x', scopes: ['users:write'] }, 403],
    [user, 'PATCH', own, { role: 'ADMIN' }, 403],
    [user, 'POST', `${PORTAL}/invitations`, { email: 'x@example.com', role: 'VIEWER' }, 403],
    [admin, 'POST', `${PORTAL}/invitations`, { email: 'x@example.com', role: 'SUPER_ADMIN' }, 403],
    [user, 'PATCH', `${PORTAL}/users/${user.user.id}`, { role: 'ADMIN' }, 403],
    [admin, 'PATCH', `${PORTAL}/users/${admin.user.id}`, { role: 'SUPER_ADMIN' }, 403],
    [admin, 'POST', `${PORTAL}/users`, { email: 'x@example.com', name: 'Xy', role: 'SUPER_ADMIN' }, 403],
    [app, 'PATCH', own, { role: 'SUPER_ADMIN' }, 403, byKey],
    [app, 'POST', EVENTS, { events: [event] }, 403],
    [stranger, 'PATCH', own, { name: 'Mine now' }, 403],
    [user, 'POST', `${PORTAL}/authorizations/${begun.id}/allow`, { scopes: ['mcp:read', 'users:write'] }, 400],
  ] as [{ request: typeof app.request }, string, string, object, number, Record<string, string>?][]) {
    const { status, body: answer } = await who.request(method, path, body, headers);
    assert.equal(status, expected, `${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer)}`);
  }
});

const form = (text: string) => ({ type: 'application/x-www-form-urlencoded', text });
const OF_OTHER_TYPES: Record<string, (json: string) => { type: string | undefined; text: string }> = {
  'JSON as a form': (json) => form(json),
  'JSON as text': (text) => ({ type: 'text/plain', text }),
  'JSON without a type': (text) => ({ type: '', text }),
  'JSON as JSON of an API': (text) => ({ type: 'application/vnd.api+json', text }),
  'JSON as multipart': (text) => ({ type: 'multipart/form-data; boundary=x', text }),
  'a part as multipart': (json) => ({
    type: 'multipart/form-data; boundary=x',
    text: `--x\r\ncontent-disposition: form-data; name="body"\r\n\r\n${json}\r\n--x--\r\n`,
  }),
  'two types': (text) => ({ type: 'application/json, text/plain', text }),
  XML: () => ({ type: 'application/xml', text: '<a/>' }),
};

test('Content types: no route reads a body of another type', async () => {
  const app = await sharedApp();
  const admin = await newPerson(app, { role: 'SUPER_ADMIN' });
  const operator = await newPerson(await operatedApp(), { role: 'SUPER_ADMIN' });
  const sendersOf = new Map([
    [true, withCookie(await operatedApp(), operator.token)],
    [false, withCookie(app, admin.token)],
  ]);
  for (const route of routes.filter(({ method }) => method !== 'get' && method !== 'delete')) {
    const send = sendersOf.get(isOperated(route))!;
    const { token } = isOperated(route) ? operator : admin;
    const byToken = { authorization: `Bearer ${token}`, cookie: '' };
    const json = JSON.stringify(sampleOf(route));
    const wrong = route.multipart
      ? { ...OF_OTHER_TYPES, JSON: (text: string) => ({ type: 'application/json', text }) }
      : OF_OTHER_TYPES;
    const answers = Object.entries(wrong).map(async ([name, made]) => {
      const { type, text } = made(json);
      const { status, body } = await send(route.method.toUpperCase(), addressOf(route), text, {
        ...byToken,
        'content-type': type!,
      });
      const isMultipart = route.multipart !== undefined && String(type).startsWith('multipart');
      assert.equal(status, isMultipart ? 400 : 415, `${nameOf(route)}, ${name}: ${JSON.stringify(body)}`);
    });
    await Promise.all(answers);
    // The type is right, the body is of another.
    if (route.body) {
      const form = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--';
      for (const text of ['a=b&c=d', form, '<a/>', '{"a":', '[]', 'null', '7', '"x"']) {
        const { status, body } = await send(route.method.toUpperCase(), addressOf(route), text, {
          ...byToken,
          'content-type': 'application/json',
        });
        assert.equal(status, 400, `${nameOf(route)}, ${text}: ${JSON.stringify(body)}`);
      }
    }
  }
  const key = { 'x-api-key': app.key };
  const other = { 'x-api-key': '' };
  const ask = { accept: 'application/json, text/event-stream' };
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  for (const [path, text, headers] of [
    ['/mcp', list, { ...key, ...ask, 'content-type': 'application/x-www-form-urlencoded' }],
    ['/mcp', list, { ...key, ...ask, 'content-type': 'text/plain' }],
    ['/mcp', list, { ...key, ...ask, 'content-type': 'multipart/form-data; boundary=x' }],
    [
      '/oauth/register',
      '{"redirect_uris":["https://x.example.com"]}',
      { ...other, 'content-type': 'application/x-www-form-urlencoded' },
    ],
    ['/oauth/register', '{"redirect_uris":["https://x.example.com"]}', { ...other, 'content-type': 'text/plain' }],
    ['/oauth/register', 'redirect_uris=https://x.example.com', { ...other, 'content-type': 'application/json' }],
    ['/oauth/token', '{"grant_type":"refresh_token"}', { ...other, 'content-type': 'application/json' }],
    ['/oauth/token', 'grant_type=refresh_token', { ...other, 'content-type': 'multipart/form-data; boundary=x' }],
    ['/oauth/introspect', '{"token":"x"}', { ...other, 'content-type': 'application/json' }],
  ] as const) {
    const { status, body } = await app.request('POST', path, text, headers);
    assert.ok(
      status === 400 || status === 415,
      `${path} ${headers['content-type']}: ${status} ${JSON.stringify(body)}`,
    );
  }
});

test('Sizes: no route reads more than its limit, packed or plain', async () => {
  const app = await operatedApp();
  const { token } = await newPerson(app, { role: 'SUPER_ADMIN' });
  for (const route of routes.filter(({ body }) => body)) {
    const large = Buffer.alloc(route.body!.maxBytes + 1, ' ');
    for (const encoding of route.body!.maxBytes > 1_000_000 ? ['gzip'] : ['gzip', 'identity']) {
      const body = new Uint8Array(encoding === 'gzip' ? gzipSync(large) : large);
      const type = { 'content-type': 'application/json', 'content-encoding': encoding };
      const headers = { authorization: `Bearer ${token}`, ...type };
      const { status } = await fetch(app.url + addressOf(route), { method: route.method.toUpperCase(), headers, body });
      assert.equal(status, 413, `${nameOf(route)}, ${encoding}`);
    }
  }
});
