import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { z } from 'zod';
import { type Tolerance, tolerantParse } from '../../../src/core/base/shared/tolerant.ts';
import { routes } from '../../../src/http/app.ts';
import { examples } from '../../../src/http/docs/examples/index.ts';
import { operationIdOf } from '../../../src/http/docs/openapi.ts';
import type { Route } from '../../../src/http/route.ts';
import { skipOnServers, type TestApp, testApp } from '../../support/app.ts';
import { type ChatApp, chatApp } from '../../support/chat.ts';
import { accepted, ended } from '../../support/knowledge.ts';
import { type Asked, authorize, connect, registerClient } from '../../support/oauth.ts';
import { newPerson, newUser, OWN_PAGE } from '../../support/people.ts';
import { tenantsOfThisFile } from '../../support/shared.ts';
import { heldApp } from '../routes/knowledge/support.ts';
import { learn, send, withKnown } from './examples-support.ts';

const newApp = tenantsOfThisFile();

const routeOf = new Map(routes.map((route) => [operationIdOf(route), route]));
const exchanges = Object.entries(examples).flatMap(([operationId, named]) =>
  Object.entries(named).map(([name, exchange]) => ({ at: `${operationId}.${name}`, operationId, name, exchange })),
);

/** Where to add the examples of an operation. */
const toAdd = (route: Route) =>
  `${route.method} ${route.path} (tag "${route.tag}"): add an exchange under "${operationIdOf(route)}" to src/http/docs/examples, ` +
  'and its file to src/http/docs/examples/index.ts';

test('examples: every operation has one for each success status and content type', () => {
  for (const route of routes) {
    const own = Object.values(examples[operationIdOf(route)] ?? {});
    assert.ok(own.length > 0, toAdd(route));
    for (const [status, { schema, content = {} }] of Object.entries(route.responses)) {
      const ofStatus = own.filter((exchange) => exchange.status === Number(status));
      assert.ok(ofStatus.length > 0, `${toAdd(route)}, answered ${status}`);
      for (const type of [...(schema ? ['application/json'] : []), ...Object.keys(content)]) {
        const ofType = ofStatus.filter(
          ({ answer, answerType = 'application/json' }) => answer !== undefined && answerType === type,
        );
        assert.ok(ofType.length > 0, `${toAdd(route)}, answered with ${type}`);
      }
    }
  }
  assert.deepEqual(
    Object.keys(examples).filter((operationId) => !routeOf.has(operationId)),
    [],
    'of no operation',
  );
});

for (const { at, operationId, exchange } of exchanges) {
  test(`examples: ${at} matches its schemas`, () => {
    const route = routeOf.get(operationId) ?? assert.fail('of no operation');
    const { params = {}, query = {}, body, contentType, form, status, answer, answerType } = exchange;
    check(route.params ?? z.strictObject({}), params, 'params');
    check(route.query ?? z.strictObject({}), query, 'query', { text: true });
    for (const name of Object.keys(exchange.headers ?? {})) assert.ok(name in (route.headers ?? {}), `header ${name}`);
    if (form) check(route.multipart?.fields ?? z.never(), form.fields, 'form', { text: true });
    else assert.equal(route.multipart, undefined, 'form: needed');
    if (contentType) assert.ok(route.body?.fromLines, 'contentType: the route takes JSON alone');
    else if (body !== undefined) check(route.body?.schema ?? z.never(), body, 'body');
    else assert.ok(route.body === undefined || route.body.optional, 'body: needed');
    const response = route.responses[status] ?? assert.fail(`status ${status}: not documented`);
    if (answerType) assert.equal(typeof answer, 'string', answerType);
    else if (response.schema) check(response.schema, answer, 'answer');
    else assert.equal(answer, undefined, 'answer: there is none');
  });
}

test('examples: sent in order, each gets its status and its response', { skip: skipOnServers }, async (t) => {
  const app = await prepared(t);
  const operator = await newPerson(app, { role: 'SUPER_ADMIN' });
  const known = new Map<string, string>();
  let token = '';
  for (const { at, operationId, exchange } of inOrder()) {
    const route = routeOf.get(operationId)!;
    if (exchange.headers?.['x-wait-for']) await app.runtime.eventStore.settle();
    // Ada is no SUPER_ADMIN.
    const byOperator = route.access === 'portal:operator' && operator.token;
    const isByPerson = route.access.startsWith('portal:') || operationId === 'deleteObservabilityMetricsName';
    const credential = isByPerson ? { authorization: `Bearer ${byOperator || token}` } : { 'x-api-key': app.key };
    const sent = { ...withKnown(exchange, known), credential: route.access === 'open' ? {} : credential };
    const { status, answer } = await send(app.url, route, sent);
    assert.equal(status, exchange.status, `${at}: ${JSON.stringify(answer)}`);
    if (exchange.answerType === undefined) {
      const { schema } = route.responses[status]!;
      if (schema) check(z.strictObject({ answer: schema }), { answer }, at);
      learn(exchange.answer, answer, known, at);
    } else assert.equal(typeof answer, 'string', at);
    const { token: issued, jobId } = (answer ?? {}) as { token?: string; jobId?: string };
    token = issued ?? token;
    // Later examples expect a job that has ended.
    if (operationId === 'postVectorsFilesIngest' && jobId) await ended(app, jobId);
  }
});

test('examples: the cancellation of a job works with a queued job', { skip: skipOnServers }, async (t) => {
  const { app } = await heldApp(t);
  await accepted(app, { name: 'first.txt', content: 'first' });
  const jobId = await accepted(app, { name: 'handbook.txt', content: 'second' });
  const exchange = examples[CANCEL]!.waiting!;
  const sent = { ...exchange, params: { jobId }, credential: { 'x-api-key': app.key } };
  const { status, answer } = await send(app.url, routeOf.get(CANCEL)!, sent);
  assert.equal(status, exchange.status);
  learn(exchange.answer, answer, new Map(), CANCEL);
});

test('examples: the logout ends the session that sends it', async (t) => {
  const { request } = await newPerson(await newApp(t));
  const { body, status } = examples[LOGOUT]!.ada!;
  assert.equal((await request('POST', '/api/v1/portal/logout', body)).status, status);
  assert.equal((await request('GET', '/api/v1/portal/me')).status, 401);
});

test('examples: a link logs in', async (t) => {
  const app = await newApp(t);
  const secret = await app.runtime.logins.issueLink(await newUser(app), 60_000);
  const { status } = examples[LINK]!.demo!;
  const answer = await app.request('POST', '/api/v1/portal/login/link', { secret }, { 'x-api-key': '', ...OWN_PAGE });
  assert.equal(answer.status, status);
});

test('examples: an authorization request is shown, and allowed or refused', async (t) => {
  const app = await testApp(t);
  const { token } = await newPerson(app);
  const credential = { authorization: `Bearer ${token}` };
  const requests = [await authorize(app, await inspector(app)), await authorize(app)];
  for (const [operationId, { id }] of [
    [REQUEST[0]!, requests[0]!],
    [REQUEST[1]!, requests[0]!],
    [REQUEST[2]!, requests[1]!],
  ] as const) {
    const [exchange] = Object.values(examples[operationId]!);
    const { status, answer } = await send(app.url, routeOf.get(operationId)!, {
      ...exchange!,
      params: { id },
      credential,
    });
    assert.equal(status, exchange!.status, operationId);
    learn(exchange!.answer, answer, new Map(), operationId);
  }
});

/** The connector of the examples, with mocked responses. */
const SHIPPING = {
  slug: 'shipping',
  name: 'Shipping',
  environments: {
    staging: { baseUrl: 'https://staging.shipping.example.com' },
    production: { baseUrl: 'https://shipping.example.com' },
  },
  resources: {
    getParcel: {
      method: 'GET',
      path: '/parcels/{parcelId}',
      parameters: { query: { properties: { language: { type: 'string' } }, additionalProperties: false } },
      mock: { body: { parcelId: 'BR-7781', status: 'in transit', expected: '2026-03-04' } },
      exposeAsTool: true,
    },
    orderPickup: {
      method: 'POST',
      path: '/parcels/{parcelId}/pickups',
      parameters: { body: { type: 'object', properties: { date: { type: 'string' } }, required: ['date'] } },
      mock: { status: 201, body: { pickupId: 'P-12' } },
    },
  },
};

const CANCEL = 'postVectorsIngestionJobsJobIdCancel';
const LOGOUT = 'postPortalLogout';
const LINK = 'postPortalLoginLink';
const REQUEST = ['getPortalAuthorizationsId', 'postPortalAuthorizationsIdAllow', 'postPortalAuthorizationsIdRefuse'];
/** Last, since it changes the password of the user who logs in. */
const AT_LAST = ['postPortalMePassword'];
/** These need receivers of messages. */
const SENT = ['postObservabilityAlertsIdTest', 'postObservabilityDigestsIdTest'];
const HISTORIES = ['getObservabilityAlertsIdHistory', 'getObservabilityDigestsIdHistory', 'getObservabilityDeliveries'];
/** These need codes and passkeys of the moment: tests/http/routes/portal/second-factor. */
const FACTORS = ['postPortalMeSecondFactor', 'deletePortalMeSecondFactor', 'patchPortalMeSecondFactor'];
const PROOFS = ['postPortalLoginSecondFactor', 'postPortalLoginPasskey', ...FACTORS];
/** These show providers that no test has. */
const PROVIDERS = ['getPortalProviders', 'postPortalProvidersNameTest', 'postPortalProvidersVendorsVendorTest'];
/** For operators, and figures of the moment: tests/http/routes/portal/{backup,data,system}.test.ts. */
const OPERATED = /^(get|post|delete)Portal(Data|Storage|Erasure|Backup|System)/;
/** These need the secret of an invitation, and a session of another user: tests/http/routes/portal. */
const PEOPLE = [
  ...['postPortalInvitationsDescribe', 'postPortalInvitationsAccept'],
  'deletePortalUsersIdSessionsSessionId',
];
/** Tested separately: one needs another kind of server, one ends the session, some secrets or requests that work once. */
const ELSEWHERE = [
  CANCEL,
  LOGOUT,
  LINK,
  ...REQUEST,
  ...PEOPLE,
  'postPortalMeStepUp',
  ...SENT,
  ...HISTORIES,
  ...PROVIDERS,
];

const isElsewhere = ({ operationId, exchange }: (typeof exchanges)[number]) =>
  ELSEWHERE.includes(operationId) ||
  OPERATED.test(operationId) ||
  PROOFS.some((one) => operationId.startsWith(one)) ||
  (exchange.status === 202 && operationId === 'postPortalLogin');

/** Deletions come after the examples that need what they delete. */
function inOrder() {
  const rank = (operationId: string) => {
    if (AT_LAST.includes(operationId)) return 3;
    // Before the tab, with which its links go.
    if (operationId === 'deleteObservabilityDashboardTabsIdLinksLinkId') return 1;
    return operationId.startsWith('delete') && !operationId.startsWith('deletePortal') ? 2 : 0;
  };
  return exchanges
    .filter((one) => !isElsewhere(one))
    .toSorted((one, other) => rank(one.operationId) - rank(other.operationId));
}

async function prepared(t: TestContext): Promise<ChatApp> {
  const app = await chatApp(t, { rateLimit: 0, smtpUrl: 'smtp://127.0.0.1:1', smtpFrom: 'runtime@example.com' });
  const { email, password } = examples.postPortalLogin!.ada!.body as { email: string; password: string };
  const ada = await newPerson(app, { email, password, name: 'Ada Lima', role: 'ADMIN' });
  await connect(app, ada, await inspector(app));
  await app.runtime.sessions.logout(await app.runtime.sessions.authenticate(ada.token));
  await app.runtime.connectors.apply(app.tenantId, SHIPPING, null);
  await app.runtime.quotas.changeTenant({ id: app.tenantId }, { 'tokens-per-day': 1_000_000 });
  await deletedByAgent(app);
  return app;
}

/** The change that the examples of dashboard changes show. */
async function deletedByAgent(app: TestApp): Promise<void> {
  const { changes } = examples.getObservabilityDashboardChanges!.all!.answer as { changes: Record<string, string>[] };
  const { agentId, title, intent } = changes[0]!;
  const config = { eventName: 'order_placed', aggregation: 'count' };
  const card = { agentId, title, cardType: 'number', config };
  const made = await app.request('POST', '/api/v1/runtime/observability/dashboard-cards', card);
  assert.equal(made.status, 201);
  const caller = await app.runtime.keyAuthenticator.authenticate(app.key);
  await app.runtime.dashboards.deleteCard(caller, made.body.id, { tool: 'delete_card', intent });
}

async function inspector(app: TestApp): Promise<Asked> {
  const redirectUri = 'http://localhost:6274/oauth/callback';
  const { body } = await registerClient(app, { client_name: 'MCP Inspector', redirect_uris: [redirectUri] });
  return { clientId: body.client_id, redirectUri };
}

/** Only what is always text may be written as text. */
function check(schema: z.ZodType, value: unknown, at: string, tolerance?: Tolerance): void {
  const { error } = tolerance ? tolerantParse(schema, value, tolerance) : schema.safeParse(value);
  assert.equal(error, undefined, `${at}: ${error && z.prettifyError(error)}`);
}
