import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { routes } from '../../src/http/app.ts';
import type { TestApp } from '../support/app.ts';
import { defineProvider } from '../support/identity/workspace.ts';
import { ingested } from '../support/knowledge.ts';
import { connect } from '../support/oauth.ts';
import { newPerson } from '../support/people.ts';
import { appOfThisFile } from '../support/shared.ts';
import { rpc } from '../tools/mcp-requests.ts';

/* The table of SECURITY.md: how each route answers an id of another tenant. */

const UNKNOWN = '0190a5a0-0000-7000-8000-000000000000';
const RUNTIME = '/api/v1/runtime';

/** By parameter and path: what another tenant's id answers. An unknown one is always 404. */
const KINDS: [route: RegExp, kind: string, foreign: 403 | 404][] = [
  [/\/executions\/:executionId/, 'executions', 403],
  [/\/ingestion-jobs\/:jobId/, 'ingestion jobs', 403],
  [/\/documents\/:documentId/, 'documents', 403],
  [/\/dashboard-cards\/:id/, 'cards', 403],
  [/\/dashboard-tabs\/:id/, 'tabs', 403],
  [/\/dashboard-changes\/:id/, 'changes by agents', 404],
  [/\/invitations\/:id/, 'invitations', 404],
  [/\/users\/:id/, 'users', 403],
  [/\/keys\/:id/, 'API keys', 403],
  [/\/grants\/:id/, 'grants', 403],
  [/\/reviews\/:reviewId/, 'reviews', 404],
  [/\/annotations\/:id/, 'annotations', 404],
  [/\/alerts\/:id/, 'alerts', 404],
  [/\/digests\/:id/, 'digests', 404],
  [/\/sessions\/:id/, 'sessions', 404],
  [/\/identity-providers\/:id/, 'identity providers', 404],
];
/** Names that callers choose live within a tenant; the rest are secrets or one's own. */
const OTHERS =
  /:(name|vendor|term|slug|connector|handle|ticket|threadId|secret)\b|\/authorizations\/:id|\/me\/second-factor\/passkeys\/:id/;

const ASSESSMENTS = `${RUNTIME}/v1/observability/executions/:executionId/assessments`;

/** Reviews and assessments of executions that are recorded elsewhere have ids of the caller's own. */
const EXCEPTIONS: Record<string, [foreign: number, unknown: number]> = {
  [`POST ${RUNTIME}/v1/observability/executions/:executionId/reviews`]: [403, 201],
  [`GET ${RUNTIME}/v1/observability/executions/:executionId/reviews/exists`]: [403, 200],
  [`POST ${ASSESSMENTS}`]: [403, 422],
  [`GET ${ASSESSMENTS}`]: [403, 200],
};

/** By method with kind or path. */
const BODIES: Record<string, unknown> = {
  [`POST ${ASSESSMENTS}`]: { rubric: 'quality', answers: { is_right: true } },
  'PATCH cards': { title: 'Mine' },
  'PATCH tabs': { name: 'Mine' },
  'PATCH users': { name: 'Somebody else' },
  'PUT users': { password: 'correct horse battery staple' },
  'POST executions': { rating: 'bad', comment: 'The answer was wrong.' },
  [`POST ${RUNTIME}/v1/observability/executions/:executionId/steps`]: {
    steps: [{ id: 's', kind: 'tool', name: 'search', startedAt: '2026-03-01T12:00:00Z' }],
  },
  'PATCH reviews': { comment: 'The answer was wrong.' },
  'PATCH annotations': { text: 'Mine' },
  'PATCH alerts': { title: 'Mine' },
  'PATCH digests': { title: 'Mine' },
  'PATCH identity providers': { name: 'Mine' },
};

const sharedApp = appOfThisFile({ rateLimit: 0 });

/** One of each kind in the tenant `default`. */
async function objects(): Promise<Record<string, string>> {
  const app = await sharedApp();
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await app.request('POST', RUNTIME + path, body);
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id ?? Object.values<{ id: string }>(answer.body).find((value) => value?.id)!.id;
  };
  const execution = await made('/v1/observability/executions', {
    messages: [{ role: 'user', content: 'Hi' }],
    output: 'x',
  });
  const tab = await made('/observability/dashboard-tabs', { name: 'A tab' });
  const person = await newPerson(app, { role: 'ADMIN' });
  await connect(app, person);
  const listed = async (path: string, member: string) =>
    (await person.request('GET', path)).body[member][0].id as string;
  const job = await ingested(app, { name: 'a.md', content: '# A' }, { vectorStore: 'help' });
  const schedule = { every: '0 9 * * *', targets: [{ type: 'webhook', url: 'https://example.com/hook' }] };
  const byAgent = { name: 'save_tab', arguments: { name: 'Of an agent' } };
  assert.ok((await rpc(app, 'tools/call', byAgent)).result);
  await defineProvider(app, { issuer: 'https://login.example.com' });
  return {
    executions: execution,
    'ingestion jobs': job.jobId,
    documents: job.documentId,
    tabs: tab,
    cards: await made('/observability/dashboard-cards', {
      title: 'A',
      cardType: 'number',
      config: { eventName: 'a', aggregation: 'count' },
    }),
    users: person.user.id,
    'API keys': (await app.runtime.keys.create(app.tenantId, { label: 'x', scopes: ['mcp:read'] }, null)).id,
    grants: await listed('/api/v1/portal/grants', 'grants'),
    reviews: await made(`/v1/observability/executions/${execution}/reviews`, {
      rating: 'good',
      comment: 'The answer was right.',
    }),
    annotations: await made('/observability/annotations', { text: 'A release' }),
    alerts: await made('/observability/alerts', {
      ...{ title: 'A', question: { eventName: 'a', aggregation: 'count' }, ...schedule },
      condition: { type: 'no_data' },
    }),
    digests: await made('/observability/digests', { title: 'A', tabId: tab, ...schedule }),
    'changes by agents': await listed('/api/v1/runtime/observability/dashboard-changes', 'changes'),
    invitations: await invited(person.request),
    sessions: await listed('/api/v1/portal/sessions', 'sessions'),
    'identity providers': 'corp',
  };
}

async function invited(request: TestApp['request']): Promise<string> {
  const invitation = { email: 'guest@example.com', role: 'USER' };
  return (await request('POST', '/api/v1/portal/invitations', invitation)).body.id;
}

test('Ids of other tenants: every route answers as the table of SECURITY.md says', async () => {
  const app = await sharedApp();
  const ids = await objects();
  await app.runtime.tenants.create({ name: 'other' });
  const stranger = await newPerson(app, { tenant: 'other', role: 'SUPER_ADMIN' });
  for (const { method, path, multipart } of routes) {
    if (!path.includes(':')) continue;
    const name = `${method.toUpperCase()} ${path}`;
    const [, kind, foreign] = KINDS.find(([route]) => route.test(path)) ?? [];
    if (kind === undefined) {
      assert.match(path, OTHERS, `${name}: whoever adds a route with an id adds its line`);
      continue;
    }
    assert.equal(multipart, undefined);
    const ask = (id: string) => {
      const at = path
        .replace(/:(documentId|jobId|executionId|reviewId|id)\b/, id)
        .replace(':assessmentId', UNKNOWN)
        .replace(':sessionId', UNKNOWN)
        .replace(':name', 'help');
      const hasBody = method !== 'get' && method !== 'delete';
      return stranger.request(
        method.toUpperCase(),
        at,
        hasBody ? (BODIES[name] ?? BODIES[`${method.toUpperCase()} ${kind}`] ?? {}) : undefined,
      );
    };
    const [known, unknown] = [await ask(ids[kind]!), await ask(UNKNOWN)];
    const expected = EXCEPTIONS[name] ?? [foreign, 404];
    assert.deepEqual(
      [known.status, unknown.status],
      expected,
      `${name}: ${JSON.stringify([known.body, unknown.body])}`,
    );
    // The status is all that differs by: no name, no time, no text.
    assert.doesNotMatch(JSON.stringify(known.body), /default|A tab|example\.com|@|20\d\d-\d\d-\d\dT/, name);
  }
  const page = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8');
  const stated = (status: number) => KINDS.filter(([, , foreign]) => foreign === status).map(([, kind]) => kind);
  for (const kind of stated(403)) assert.match(page, new RegExp(`403[^.]*\\b${kind}\\b`), kind);
  for (const kind of stated(404)) assert.doesNotMatch(page, new RegExp(`403[^.]*\\b${kind}\\b`), kind);
  for (const [kind, path] of [
    ['cards', '/observability/dashboard-cards/'],
    ['alerts', '/observability/alerts/'],
    ['reviews', '/v1/observability/reviews/'],
  ] as const) {
    assert.equal((await app.request('GET', RUNTIME + path + ids[kind])).status, 200, `${kind}: untouched`);
  }
});
