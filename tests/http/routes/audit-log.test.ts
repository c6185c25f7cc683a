import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../../src/core/base/shared/caller.ts';
import { EVENTS, type TestApp } from '../../support/app.ts';
import { changeUser, newPerson, newUser, PORTAL } from '../../support/people.ts';
import { eventually } from '../../support/process.ts';
import { appOfThisFile } from '../../support/shared.ts';
import { CARDS, NUMBER, TABS } from './dashboards/support.ts';

const STORES = '/api/v1/runtime/v1/vectors/stores';
const PASSWORD = 'correct horse battery staple';
const sharedApp = appOfThisFile({ rateLimit: 0, trustedProxies: '127.0.0.1' });

type Line = Awaited<ReturnType<TestApp['runtime']['audit']['entries']>>['items'][number];

let requests = 0;

/** A request that says its id and its address; the lines of the audit log that carry this id. */
async function audited(app: TestApp, send: (headers: Record<string, string>) => Promise<{ status: number }>) {
  const requestId = `audited-${++requests}`;
  const { status } = await send({ 'x-request-id': requestId, 'x-forwarded-for': '203.0.113.7' });
  const lines = async () => (await linesOf(app)).filter((line) => line.requestId === requestId);
  return { status, lines };
}

async function linesOf({ runtime, caller }: TestApp, action?: string): Promise<Line[]> {
  const administrator: Caller = { ...caller, role: 'ADMIN' };
  return (await runtime.audit.entries(administrator, { action, limit: 500, offset: 0 })).items;
}

test('audit log: a deletion has its request id and address', async () => {
  const app = await sharedApp();
  const tab = (await app.request('POST', TABS, { name: 'Sales' })).body.id;
  const card = (await app.request('POST', CARDS, { ...NUMBER })).body.id;
  const documentId = await ingested(app, 'manuals');
  const deletions: [path: string, action: string, target: string, details: object][] = [
    [`${CARDS}/${card}`, 'card.deleted', card, {}],
    [`${TABS}/${tab}`, 'tab.deleted', tab, {}],
    [`${STORES}/manuals/documents/${documentId}`, 'document.deleted', documentId, { vectorStore: 'manuals' }],
    [`${STORES}/manuals`, 'vector_store.deleted', 'manuals', {}],
  ];
  for (const [path, action, target, details] of deletions) {
    const { status, lines } = await audited(app, (headers) => app.request('DELETE', path, undefined, headers));
    assert.equal(status, 204, path);
    const [line, ...others] = await lines();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [line?.action, line?.target, line?.details, line?.address, line?.actor.kind],
      [action, target, details, '203.0.113.7', 'key'],
    );
    const again = await audited(app, (headers) => app.request('DELETE', path, undefined, headers));
    assert.deepEqual([again.status, await again.lines()], [404, []], 'what was not there is no line');
  }
});

test('audit log: a full page of events is recorded as an export', async () => {
  const app = await sharedApp();
  const events = Array.from({ length: 1_001 }, () => ({ eventName: 'exported' }));
  await app.ingest(events);
  const ask = (body: object) =>
    audited(app, (headers) => app.request('POST', `${EVENTS}/query`, { eventName: 'exported', ...body }, headers));
  assert.deepEqual(await (await ask({ limit: 999 })).lines(), []);
  assert.deepEqual(await (await ask({ mode: 'aggregate', limit: 1_000 })).lines(), []);
  const [line] = await (await ask({ limit: 1_000 })).lines();
  assert.deepEqual([line?.action, line?.details], ['events.exported', { rows: 1_000 }]);
});

test('audit log: a refused known credential is recorded in its tenant', async () => {
  const app = await sharedApp();
  const key = await app.newKey({ scopes: ['mcp:read'] });
  const id = key.split('_')[1]!;
  const revoked = await app.newKey();
  await app.runtime.keys.revoke(revoked.split('_')[1]!, null);
  const { user, request: asViewer } = await newPerson(app, { role: 'VIEWER', tenant: 'default' });
  const former = await newPerson(app, { role: 'ADMIN', tenant: 'default' });
  await changeUser(app, former.user.id, { isActive: false });
  const mcp = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: {} } };
  const withoutMcp = await app.newKey({ scopes: ['events:read'] });
  const refused: [expected: object, send: Parameters<typeof audited>[1]][] = [
    [
      { status: 403, actor: id, route: `${EVENTS}`, reason: /lacks the scope events:write/ },
      (headers) => app.request('POST', EVENTS, { events: [] }, { ...headers, 'x-api-key': key }),
    ],
    [
      { status: 403, actor: withoutMcp.split('_')[1], route: '/mcp', reason: /lacks the scope mcp:read/ },
      (headers) => app.request('POST', '/mcp', mcp, { ...headers, 'x-api-key': withoutMcp }),
    ],
    [
      { status: 403, actor: user.id, route: `${PORTAL}/audit-log`, reason: /role VIEWER/ },
      (headers) => asViewer('GET', `${PORTAL}/audit-log`, undefined, headers),
    ],
    [
      { status: 401, actor: former.user.id, route: `${PORTAL}/me`, reason: /not valid any more/ },
      (headers) => former.request('GET', `${PORTAL}/me`, undefined, headers),
    ],
    [
      { status: 401, actor: revoked.split('_')[1], route: `${EVENTS}/feed`, reason: /revoked/ },
      (headers) => app.request('GET', `${EVENTS}/feed`, undefined, { ...headers, 'x-api-key': revoked }),
    ],
    [
      { status: 401, actor: id, route: `${EVENTS}/feed`, reason: /not valid/ },
      (headers) =>
        app.request('GET', `${EVENTS}/feed`, undefined, { ...headers, 'x-api-key': `ar_${id}_${'x'.repeat(43)}` }),
    ],
  ];
  for (const [expected, send] of refused) {
    const { status, actor, route, reason } = expected as Record<string, string> & { reason: RegExp };
    const { status: answered, lines } = await audited(app, send);
    assert.equal(answered, status, route);
    await eventually('a line', async () => (await lines()).length === 1, 5_000);
    const [line] = await lines();
    assert.deepEqual(
      [line?.action, line?.actor.id, line?.details.route, line?.address],
      ['request.refused', actor, route, '203.0.113.7'],
    );
    assert.match(String(line?.details.reason), reason);
    assert.ok(!JSON.stringify(line).includes('x'.repeat(43)), 'no secret');
  }
});

test('audit log: repeated refusals and failed logins are few lines with a count', async () => {
  const app = await sharedApp();
  await app.runtime.audit.settled();
  const key = await app.newKey({ scopes: ['mcp:read'] });
  const { id: userId, email } = await newUser(app, { password: PASSWORD });
  const refuse = () => app.request('POST', EVENTS, { events: [] }, { 'x-api-key': key });
  const fail = () =>
    app.request('POST', `${PORTAL}/login`, { email, password: 'incorrect horse' }, { 'x-api-key': '' });
  for (let count = 0; count < 40; count++) assert.equal((await refuse()).status, 403);
  for (let count = 0; count < 5; count++) assert.equal((await fail()).status, 401);
  await app.runtime.logins.settled();
  const of = async (action: string, actor: string) =>
    (await linesOf(app, action)).filter((line) => line.actor.id === actor).map(({ details }) => details.repeated);
  assert.deepEqual(await of('request.refused', key.split('_')[1]!), [undefined]);
  assert.deepEqual(await of('login.failed', userId), [undefined]);
  await app.runtime.audit.settled();
  assert.deepEqual(await of('request.refused', key.split('_')[1]!), [39, undefined]);
  assert.deepEqual(await of('login.failed', userId), [4, undefined]);
});

test('audit log: a request id that contains a key is not stored', async () => {
  const app = await sharedApp();
  const { headers } = await app.request('GET', '/healthz', undefined, { 'x-request-id': app.key });
  assert.notEqual(headers.get('x-request-id'), app.key);
});

test("GET /audit-log/export: NDJSON of the tenant's lines, filtered", async () => {
  const app = await sharedApp();
  await app.runtime.tenants.create({ name: 'exporting' });
  const { request, user } = await newPerson(app, { role: 'ADMIN', tenant: 'exporting' });
  for (let count = 0; count < 3; count++) await request('POST', `${PORTAL}/agents`, { name: `agent-${count}` });
  await request('PATCH', `${PORTAL}/settings`, { timezone: 'Asia/Tokyo' });
  const exported = async (query = '') => {
    const { status, headers, body } = await request('GET', `${PORTAL}/audit-log/export${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(headers.get('content-type') ?? '', /^application\/x-ndjson/);
    return String(body)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  const lines = await exported();
  const actions = lines.map(({ action }) => action);
  const own = [...Array.from({ length: 3 }, () => 'agent.created'), 'settings.updated', 'audit_log.exported'];
  assert.deepEqual(actions, own);
  assert.ok(lines.every(({ tenantId }) => tenantId === user.tenantId));
  const members = ['action', 'actor', 'address', 'at', 'details', 'id', 'requestId', 'target', 'tenantId'];
  assert.deepEqual(Object.keys(lines[0]).sort(), members);
  assert.deepEqual(
    (await exported('?action=agent.created')).map(({ target }) => target),
    ['agent-0', 'agent-1', 'agent-2'],
  );
  assert.deepEqual(await exported('?dateTo=2020-01-01'), []);
  assert.equal((await exported('?dateFrom=today')).length >= own.length, true);
  const wrong = await request('GET', `${PORTAL}/audit-log/export?dateFrom=soon`);
  assert.equal(wrong.status, 400);
});

test('GET /audit-log: filters by actor, target and noun; pages older and newer', async () => {
  const app = await sharedApp();
  await app.runtime.tenants.create({ name: 'paging' });
  const ada = await newPerson(app, { role: 'ADMIN', tenant: 'paging' });
  const eve = await newPerson(app, { role: 'ADMIN', tenant: 'paging' });
  for (let count = 0; count < 5; count++) await ada.request('POST', `${PORTAL}/agents`, { name: `agent-${count}` });
  const key = { label: 'Nightly report', scopes: ['mcp:read'] };
  const made = await eve.request('POST', `${PORTAL}/keys`, key);
  await ada.request('DELETE', `${PORTAL}/keys/${made.body.id}`);
  const ask = async (query: string) => (await ada.request('GET', `${PORTAL}/audit-log?${query}`)).body;
  const shown = ({ entries }: { entries: Line[] }) => entries.map(({ action, target }) => `${action} ${target}`);
  const [created, revoked] = [`key.created ${made.body.id}`, `key.revoked ${made.body.id}`];
  assert.deepEqual(shown(await ask('action=key.')), [revoked, created]);
  assert.deepEqual(shown(await ask(`target=${made.body.id}`)), [revoked, created]);
  assert.deepEqual(shown(await ask(`actor=${encodeURIComponent(eve.user.email)}`)), [created]);
  assert.deepEqual(shown(await ask(`actor=${eve.user.id}&action=key.`)), [created]);
  assert.deepEqual(shown(await ask(`actor=${eve.user.id}&action=agent.`)), []);

  const first = await ask(`actor=${ada.user.id}&limit=2`);
  assert.deepEqual(shown(first), [revoked, 'agent.created agent-4']);
  assert.deepEqual([first.total, first.newer], [6, null]);
  const second = await ask(`actor=${ada.user.id}&limit=2&before=${first.older}`);
  assert.deepEqual(shown(second), ['agent.created agent-3', 'agent.created agent-2']);
  const last = await ask(`actor=${ada.user.id}&limit=2&before=${second.older}`);
  assert.deepEqual(shown(last), ['agent.created agent-1', 'agent.created agent-0']);
  assert.equal(last.older, null);
  const back = await ask(`actor=${ada.user.id}&limit=2&after=${last.newer}`);
  assert.deepEqual([back.entries, back.newer !== null, back.older !== null], [second.entries, true, true]);
  const whole = await ask(`actor=${ada.user.id}&limit=2&after=${back.newer}`);
  assert.deepEqual([whole.entries, whole.newer], [first.entries, null]);
  for (const wrong of ['before=soon', `before=${first.older}&after=${first.older}`, 'offset=10001', 'actor=a&x=1']) {
    assert.equal((await ada.request('GET', `${PORTAL}/audit-log?${wrong}`)).status, 400, wrong);
  }
});

test('GET /audit-log/export: CSV for a link of the page, whose texts run no formula', async () => {
  const app = await sharedApp();
  await app.runtime.tenants.create({ name: 'spreadsheet' });
  const { token, request } = await newPerson(app, { role: 'ADMIN', tenant: 'spreadsheet' });
  await request('POST', `${PORTAL}/agents`, { name: '=cmd' });
  await request('POST', `${PORTAL}/agents`, { name: 'a "quoted", one' });
  const asLink = { 'x-api-key': '', cookie: `ar_session=${token}`, 'sec-fetch-site': 'same-origin' };
  const path = `${PORTAL}/audit-log/export?format=csv&action=agent.`;
  const { status, headers, body } = await app.request('GET', path, undefined, asLink);
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/csv/);
  assert.equal(headers.get('content-disposition'), 'attachment; filename="audit-log.csv"');
  const [head, first, second, end, ...others] = String(body)
    .replace(/^\ufeff/, '')
    .split('\r\n');
  assert.equal(head, 'at,actor,actorKind,actorId,client,action,target,details,address,requestId,id');
  assert.match(first!, /,agent\.created,'=cmd,{},/);
  assert.match(second!, /,agent\.created,"a ""quoted"", one",{},/);
  assert.deepEqual([end, others], ['', []]);
  const foreign = await app.request('GET', path, undefined, { ...asLink, 'sec-fetch-site': 'cross-site' });
  assert.equal(foreign.status, 403);
});

async function ingested(app: TestApp, vectorStore: string): Promise<string> {
  const form = new FormData();
  form.set('vectorStore', vectorStore);
  form.set('file', new Blob(['# Manual\n\nHow to read a card.']), 'manual.md');
  const response = await fetch(`${app.url}/api/v1/runtime/v1/vectors/files/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': app.key },
    body: form,
  });
  assert.equal(response.status, 202, await response.clone().text());
  await eventually(
    'a document',
    async () => (await app.request('GET', `${STORES}/${vectorStore}/documents`)).body.total === 1,
    20_000,
  );
  return (await app.request('GET', `${STORES}/${vectorStore}/documents`)).body.documents[0].documentId;
}
