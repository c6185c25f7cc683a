import type { TestContext } from 'node:test';
import type { OpenEventStore } from '../../../src/app/event-store.ts';
import { createLog } from '../../../src/logging/log.ts';
import { type TestApp, testApp } from '../app.ts';
import { ingested } from '../knowledge.ts';
import { json, startApi } from '../outside-api.ts';
import { newUser } from '../people.ts';
import { type FakeUpstream, fakeUpstream } from '../upstream/server.ts';
import { type Credentials, credentialsOf, OWN, PASSWORD, STRANGER } from './credentials.ts';
import { Pools } from './pools.ts';

/** A server with three tenants, and what the requests to it need to know. */
export interface Fixture {
  app: TestApp;
  credentials: Credentials;
  /** What there is in the tenant that asks. */
  own: Pools;
  /** The ids of a tenant that never asks, and of which nobody may hear. */
  rival: Pools;
  /** A key of the rival, to look whether everything is as it was. */
  rivalKey: string;
  /** Lines of the log that tell of a fault. */
  faults: string[];
}

const RIVAL = 'rival';
/** In every text of a tenant's own: it never stands in a request, and in answers to that tenant alone. */
export const MARKS = { own: 'MarkOfOwn7f3a', rival: 'MarkOfRival9c1e' };

const BASE_PATH = '/api/v1/runtime';

export async function newFixture(t: TestContext, openStore?: OpenEventStore): Promise<Fixture> {
  const faults: string[] = [];
  const log = createLog('info', { write: (line) => void (/"level":"(error|fatal)"/.test(line) && faults.push(line)) });
  const app = await testApp(t, { rateLimit: 0, logLevel: 'info' }, undefined, log, openStore);
  for (const name of [RIVAL, STRANGER]) await app.runtime.tenants.create({ name });
  await newUser(app, { tenant: OWN, email: 'ada@example.com', password: PASSWORD, role: 'ADMIN' });
  const upstream = await fakeUpstream(t);
  await app.runtime.providers.apply(
    app.tenantId,
    VENDORS.map((provider) => providerAt(upstream, provider)),
  );
  const api = await oddApi(t);
  const rivalKey = await app.newKey({ tenant: RIVAL });
  return {
    ...{ app, faults, rivalKey },
    credentials: await credentialsOf(app),
    own: await createPools(app, OWN, app.key, { api, mark: MARKS.own }),
    rival: await createPools(app, RIVAL, rivalKey, { api, mark: MARKS.rival }),
  };
}

const VENDORS = ['openai', 'anthropic', 'bedrock', 'groq', 'gemini', 'xai', 'custom'] as const;

/** All vendors answer; the custom one is called as in the examples. */
function providerAt(upstream: FakeUpstream, provider: (typeof VENDORS)[number]): object {
  return {
    ...{ name: provider === 'custom' ? 'local' : provider, provider, apiKey: 'sk-fuzz', allowPrivateNetwork: true },
    ...{ baseUrl: upstream.baseUrl(provider), ...(provider === 'bedrock' ? { region: 'us-east-1' } : {}) },
  };
}

/** An API that mostly echoes, and at times refuses, fails, or does not answer. */
async function oddApi(t: TestContext): Promise<string> {
  let asked = 0;
  const { url } = await startApi(t, (request, response) => {
    asked += 1;
    if (asked % 40 === 0) return;
    if (asked % 7 === 0) return json(response, 500, { error: 'down' });
    if (asked % 5 === 0) return void response.writeHead(204).end();
    // The headers hold addresses of the tests' own.
    json(response, asked % 11 === 0 ? 404 : 200, { method: request.method, body: request.body });
  });
  return url;
}

/** One or more of everything, with the tenant's mark in its texts. */
async function createPools(
  app: TestApp,
  tenant: string,
  key: string,
  { api, mark }: { api: string; mark: string },
): Promise<Pools> {
  const pools = new Pools();
  const { id: tenantId } = await app.runtime.tenants.get(tenant);
  const make = async (path: string, body: object) => {
    const answer = await app.request('POST', `${BASE_PATH}${path}`, body, { 'x-api-key': key });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const events = ['order_placed', 'refund', `only ${mark}`].flatMap((eventName) =>
    [1, 2, 3].map((amount) => ({ eventName, properties: { amount, plan: 'pro', note: mark }, threadId: 't-1' })),
  );
  await app.ingest(events, key);
  pools.add('threads', 't-1');
  for (const id of [1, 2, 3].map((number) => `run-${tenant}-${number}`)) {
    const messages = [{ role: 'user', content: `Hello ${mark}` }];
    pools.add('executions', (await make('/v1/observability/executions', { id, messages, output: mark })).id);
    const review = { rating: 'bad', comment: `The answer was wrong ${mark}` };
    pools.add('reviews', (await make(`/v1/observability/executions/${id}/reviews`, review)).id);
    const rubric = {
      ...{ name: `rubric_${id.replaceAll('-', '_')}`, title: mark },
      questions: [{ id: 'is_right', text: mark, type: 'boolean' }],
    };
    pools.add('rubrics', (await make('/v1/observability/rubrics', rubric)).name);
    const assessment = { rubric: rubric.name, answers: { is_right: true }, comment: mark };
    pools.add('assessments', (await make(`/v1/observability/executions/${id}/assessments`, assessment)).id);
    const tab = { agentId: 'support', name: `tab ${id} ${mark}` };
    pools.add('tabs', (await make('/observability/dashboard-tabs', tab)).id);
    const config = { eventName: 'order_placed', aggregation: 'sum', propertyKey: 'amount' };
    const card = { agentId: 'support', title: `card ${mark}`, cardType: 'number', idempotencyKey: id, config };
    pools.add('cards', (await make('/observability/dashboard-cards', card)).id);
    pools.add('users', (await newUser(app, { tenant, name: `Somebody ${mark}` })).id);
    const label = `key ${mark}`;
    pools.add('keys', (await app.runtime.keys.create(tenantId, { label, scopes: ['mcp:read'] }, null)).id);
  }
  const desk = { url: app.url, key };
  const store = tenant === OWN ? 'help' : `help-${tenant}`;
  const job = await ingested(desk, { name: `${mark}.md`, content: `# Refunds\n\n${mark}` }, { vectorStore: store });
  pools.add('stores', store);
  pools.add('jobs', job.jobId);
  pools.add('documents', job.documentId);
  for (const definition of connectorsAt(api, tenant, mark)) {
    await app.runtime.connectors.apply(tenantId, definition, null);
    pools.add('connectors', (definition as { slug: string }).slug);
  }
  return pools;
}

/** The connector of the examples, whose mocks answer, and one that is really called. */
function connectorsAt(url: string, tenant: string, mark: string): object[] {
  const parcelId = { type: 'string' };
  const shipping = {
    ...{ slug: tenant === OWN ? 'shipping' : `shipping-${tenant}`, name: `Shipping ${mark}` },
    environments: {
      staging: { baseUrl: 'https://staging.shipping.example.com' },
      production: { baseUrl: 'https://shipping.example.com' },
    },
    resources: {
      getParcel: {
        ...{ method: 'GET', path: '/parcels/{parcelId}', mock: { body: { status: 'in transit' } } },
        parameters: { query: { properties: { language: { type: 'string' } }, additionalProperties: false } },
      },
      orderPickup: {
        ...{ method: 'POST', path: '/parcels/{parcelId}/pickups', mock: { status: 201, body: { pickupId: 'P-12' } } },
        parameters: {
          path: { properties: { parcelId }, required: ['parcelId'] },
          body: { type: 'object', properties: { date: { type: 'string' } }, required: ['date'] },
        },
      },
    },
  };
  const pets = {
    ...{ slug: tenant === OWN ? 'pets' : `pets-${tenant}`, name: `Pets ${mark}`, timeoutMs: 400 },
    environments: { production: { baseUrl: `${url}/v1` } },
    allowPrivateNetworks: ['127.0.0.0/8'],
    retry: { attempts: 1 },
    resources: {
      getPet: {
        ...{ method: 'GET', path: '/pets/{petId}' },
        parameters: { path: { properties: { petId: { type: 'integer' } }, required: ['petId'] } },
      },
      listPets: { method: 'GET', path: '/pets', fallbackResponse: [] },
      addPet: { method: 'POST', path: '/pets', parameters: { body: { type: 'object' } } },
    },
  };
  return [shipping, pets];
}
