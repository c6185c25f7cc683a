import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { SCOPES_OF_ROLE } from '../../src/core/access/auth/rights.ts';
import { administers, ROLES, type Role, SCOPES, type Scope } from '../../src/core/base/shared/caller.ts';
import { routes } from '../../src/http/app.ts';
import type { Route, RouteAccess } from '../../src/http/route.ts';
import { type TestApp, type TestResponse, testApp } from '../support/app.ts';
import { UPDATES_GOLDEN } from '../support/golden.ts';
import { newPerson } from '../support/people.ts';

/*
 * The access table, generated from the routes, shown in docs/access.md and proven by real requests.
 * UPDATE_GOLDEN=1 rewrites the page.
 */

const PAGE = new URL('../../docs/access.md', import.meta.url);

type Endpoint = Pick<Route, 'method' | 'path' | 'access'> & { body?: unknown };

/** A tool call. Only calls need the scope: without it a client connects and sees nothing. */
const MCP: Endpoint = {
  method: 'post',
  path: '/mcp',
  access: 'mcp:read',
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'describe_workspace', arguments: {} } },
};
const endpoints: Endpoint[] = [...routes, MCP];

/** Proven access to an endpoint: keys with that scope alone, and users of that role. */
interface Proven {
  keys: (Scope | '*')[];
  roles: Role[];
  open: boolean;
}

test('access: every endpoint admits exactly the callers of docs/access.md', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const credentials = await createCredentials(app);
  const rows: string[] = [];
  for (const endpoint of endpoints) rows.push(rowOf(endpoint, await prove(app, endpoint, credentials)));
  const table = [HEADER, ...rows].join('\n');
  t.diagnostic(`\n${table}`);
  compare(t, table);
});

const HEADER = `| Endpoint | Access | API keys with | ${ROLES.join(' | ')} |\n| --- | --- | --- | ${ROLES.map(() => '---').join(' | ')} |`;

function rowOf({ method, path, access }: Endpoint, { keys, roles, open }: Proven): string {
  const named = access === 'authenticated' ? 'any scopes' : keys.map((scope) => `\`${scope}\``).join(', ');
  const marks = ROLES.map((role) => (roles.includes(role) ? 'yes' : ''));
  return `| \`${method.toUpperCase()} ${path}\` | ${access} | ${open ? 'no credential needed' : named} | ${marks.join(' | ')} |`;
}

/** The page has prose; the table is from its first `| Endpoint` to the next empty line. */
function compare(t: TestContext, table: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const shown = /\| Endpoint[\s\S]*?(?=\n\n|\n$)/.exec(page)?.[0] ?? '';
  if (UPDATES_GOLDEN) {
    writeFileSync(PAGE, page.replace(shown, table));
    t.diagnostic('docs/access.md was written');
  } else assert.equal(table, shown, 'docs/access.md shows another table; UPDATE_GOLDEN=1 writes it');
}

interface Credentials {
  keyOf: Map<Scope | '*', string>;
  /** Keys with every scope but one. */
  keyWithout: Map<Scope, string>;
  tokenOf: Map<Role, string>;
}

async function createCredentials(app: TestApp): Promise<Credentials> {
  const credentials: Credentials = { keyOf: new Map(), keyWithout: new Map(), tokenOf: new Map() };
  for (const scope of [...SCOPES, '*'] as const) credentials.keyOf.set(scope, await app.newKey({ scopes: [scope] }));
  for (const scope of SCOPES) {
    credentials.keyWithout.set(scope, await app.newKey({ scopes: SCOPES.filter((one) => one !== scope) }));
  }
  for (const role of ROLES) credentials.tokenOf.set(role, (await newPerson(app, { role })).token);
  return credentials;
}

/** Requests with every kind of credential; checks each refusal and returns which were admitted. */
async function prove(app: TestApp, endpoint: Endpoint, { keyOf, keyWithout, tokenOf }: Credentials): Promise<Proven> {
  const { access } = endpoint;
  const open = access === 'open';
  const ask = (headers: Record<string, string>) => send(app, endpoint, headers);
  const who = (name: string) => `${endpoint.method} ${endpoint.path} with ${name}`;
  const isAdmitted = (answer: TestResponse) => answer.status !== 401 && answer.status !== 403;

  const none = await ask({});
  const wrongKey = await ask({ 'x-api-key': `${app.key.slice(0, -1)}${app.key.endsWith('a') ? 'b' : 'a'}` });
  const wrongToken = await ask({ authorization: `Bearer ${tokenOf.get('ADMIN')?.slice(0, -2)}` });
  for (const [name, answer] of Object.entries({ none, wrongKey, wrongToken })) {
    if (open) assert.ok(isAdmitted(answer), `${who(name)}: ${answer.status}`);
    else assertUnauthenticated(answer, who(name));
  }

  const proven: Proven = { keys: [], roles: [], open };
  for (const scope of keysToTry(access)) {
    const answer = await ask({ 'x-api-key': keyOf.get(scope)! });
    if (isAdmitted(answer)) proven.keys.push(scope);
    else assertForbidden(answer, access, who(`a key for ${scope}`));
  }
  const others = keyWithout.get(access as Scope);
  if (others !== undefined) {
    assertForbidden(await ask({ authorization: `Bearer ${others}` }), access, who('every scope but its own'));
  }
  for (const [role, known] of tokenOf) {
    const token = endsSessions(endpoint) ? (await newPerson(app, { role })).token : known;
    const answer = await ask({ authorization: `Bearer ${token}` });
    if (isAdmitted(answer)) proven.roles.push(role);
    else assertForbidden(answer, access, who(`the role ${role}`));
  }
  if (!open) assertUnauthenticated(await ask({ 'x-api-key': tokenOf.get('ADMIN')! }), who('a token as x-api-key'));
  if (endsSessions(endpoint)) for (const role of ROLES) tokenOf.set(role, (await newPerson(app, { role })).token);
  const expected = { keys: keysFor(access), roles: ROLES.filter((role) => mayUse(role, access)), open };
  assert.deepEqual(proven, expected, who('anything'));
  return proven;
}

/** One that logs everybody else out: each role asks with a session of its own. */
function endsSessions({ method, path }: Endpoint): boolean {
  return method === 'delete' && path.endsWith('/sessions/all');
}

/** Of those that are refused, a key with all of their scopes is tried instead, or one of them. */
function keysToTry(access: RouteAccess): (Scope | '*')[] {
  if (access === 'open' || access === 'authenticated') return [...SCOPES, '*'];
  return access.startsWith('portal:') ? [SCOPES[0], '*'] : [access as Scope, '*'];
}

/** The meaning of a route's access, independent of the code that checks it. */
function keysFor(access: RouteAccess): (Scope | '*')[] {
  if (access === 'open' || access === 'authenticated') return [...SCOPES, '*'];
  return access.startsWith('portal:') ? [] : [access as Scope, '*'];
}

function mayUse(role: Role, access: RouteAccess): boolean {
  if (access === 'open' || access === 'portal:user' || access === 'authenticated') return true;
  if (access === 'portal:administrator') return administers(role);
  if (access === 'portal:operator') return role === 'SUPER_ADMIN';
  return SCOPES_OF_ROLE[role].some((scope) => scope === '*' || scope === access);
}

async function send(app: TestApp, { method, path, body = {} }: Endpoint, headers: Record<string, string>) {
  const address = path.replace(/:\w+/g, '0190a5a0-0000-7000-8000-000000000000');
  const accept = { accept: 'application/json, text/event-stream' };
  const hasBody = method !== 'get' && method !== 'delete';
  return app.request(method.toUpperCase(), address, hasBody ? body : undefined, {
    'x-api-key': '',
    ...accept,
    ...headers,
  });
}

function assertUnauthenticated(answer: TestResponse, who: string): void {
  assert.equal(answer.status, 401, who);
  assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/, who);
  assert.equal(answer.body.error, 'Unauthorized', who);
}

/**
 * The message names what is missing: the scope, or that the endpoint is for portal users or
 * administrators.
 */
function assertForbidden(answer: TestResponse, access: RouteAccess, who: string): void {
  assert.equal(answer.status, 403, `${who}: ${JSON.stringify(answer.body)}`);
  const challenge = answer.headers.get('www-authenticate') ?? '';
  if (access.startsWith('portal:')) {
    assert.match(
      answer.body.message,
      /API keys and access tokens|an administrator of the tenant|the whole installation/,
      who,
    );
    assert.match(challenge, /^Bearer/, who);
  } else {
    assert.ok(answer.body.message.includes(access), `${who}: ${answer.body.message}`);
    assert.match(challenge, new RegExp(`error="insufficient_scope", scope="${access}"`), who);
  }
}

test('access: the scopes of each role match docs/access.md', () => {
  const page = readFileSync(PAGE, 'utf8');
  for (const role of ROLES) {
    const held = SCOPES_OF_ROLE[role].map((scope) => `\`${scope}\``).join(', ');
    assert.ok(page.includes(`| ${role} | ${held} |`), `${role}: ${held}`);
  }
});
