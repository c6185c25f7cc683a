import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { EXPECTATIONS } from '../../http/routes/chat/faults/expectations.ts';
import { FAULTS, type FaultName } from '../../http/routes/chat/faults/faults.ts';
import { bodyFor, TESTED, type Tested, vendorOf } from '../../http/routes/chat/faults/providers.ts';
import { EVENTS } from '../../support/app.ts';
import { chat, EXECUTIONS } from '../../support/chat.ts';
import { createKey, newDataDirectory, readyUrl, startProgram } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { runJson } from '../../support/shell.ts';
import type { Outcome } from '../../support/upstream/outcomes.ts';
import { type FakeUpstream, fakeUpstream } from '../../support/upstream/server.ts';
import { searchFor } from '../secrets.ts';
import { applyProviders } from './support.ts';

/*
 * Every provider with every fault, where each message of an upstream quotes its key. Keys come from
 * the environment or definitions, and are searched for in all output, answers and files.
 */

const AT_ONCE = 24;
const TELLING = 16;

const keyOf = (provider: Tested) => `sk-${provider}-key-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c`;
const headerOf = (provider: Tested) => `header-of-${provider}-a1b2c3d4e5f6a7b8c9d0e1f2`;
/** Keys that no request should have: the SDKs would send them to any server. */
const FOREIGN = 'foreign-header-0f1e2d3c4b5a69788796';

const ENVIRONMENT: Record<string, string> = {
  OPENAI_API_KEY: keyOf('openai'),
  ANTHROPIC_API_KEY: keyOf('anthropic'),
  GROQ_API_KEY: keyOf('groq'),
  GEMINI_API_KEY: keyOf('gemini'),
  XAI_API_KEY: keyOf('xai'),
  AWS_BEARER_TOKEN_BEDROCK: keyOf('bedrock'),
  ...Object.fromEntries(['OPENAI_LOG', 'ANTHROPIC_LOG', 'GROQ_LOG', 'GOOGLE_GENAI_LOG'].map((name) => [name, 'debug'])),
  ...Object.fromEntries(
    ['OPENAI', 'ANTHROPIC', 'GROQ'].map((vendor) => [`${vendor}_CUSTOM_HEADERS`, `x-foreign: ${FOREIGN}`]),
  ),
  OPENAI_ORG_ID: FOREIGN,
  OPENAI_PROJECT_ID: FOREIGN,
  ANTHROPIC_AUTH_TOKEN: FOREIGN,
  AGENT_RUNTIME_CHAT_TIMEOUT: '6',
  AGENT_RUNTIME_RATE_LIMIT: '0',
};
const SECRETS = [FOREIGN, ...TESTED.flatMap((provider) => [keyOf(provider), headerOf(provider)])];

const { assertWithoutSecrets, assertKeepsNone } = searchFor(SECRETS.map((secret) => secret.slice(0, TELLING)));

interface Cell {
  name: string;
  provider: Tested;
  fault: FaultName;
  upstream: FakeUpstream;
}

rareTest('secrets: none is in logs, answers, records or files, whatever an upstream quotes', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key, tenantId } = await createKey(dataDir);
  const cells = await Promise.all(
    cellsOf().map(async (cell) => ({ ...cell, upstream: await quotingUpstream(t, cell) })),
  );
  await applyProviders(dataDir, tenantId, cells.map(definitionOf));
  const args = ['serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'trace'];
  const server = startProgram(t, args, { environment: ENVIRONMENT });
  const endpoint = { url: await readyUrl(server), key };

  const left = cells.values();
  const statuses = new Map<number, number>();
  const walk = async () => {
    for (const cell of left) {
      const body = { ...bodyFor(cell.provider), providerName: cell.name };
      const received = await chat(endpoint, body, { onData: () => cell.upstream.release() });
      assertWithoutSecrets(`the answer of ${cell.name}`, JSON.stringify(received));
      const execution = await get(endpoint, `${EXECUTIONS}/${received.headers['x-execution-id']}`);
      assert.match(execution, /"status":"(completed|failed)"/);
      assertWithoutSecrets(`the execution of ${cell.name}`, execution);
      statuses.set(received.status, (statuses.get(received.status) ?? 0) + 1);
      assertSentItsOwn(cell);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, walk));

  for (const eventName of ['runtime.chat_failed', 'runtime.chat_completed']) {
    const events = await post(endpoint, `${EVENTS}/query`, { eventName, limit: 1_000 });
    assert.match(events, /"provider":"openai"/);
    assertWithoutSecrets(eventName, events);
  }
  const { providers } = await runJson(dataDir, 'providers', 'list');
  assert.equal(providers.length, cells.length);
  assertWithoutSecrets('providers list', JSON.stringify(providers));
  assertWithoutSecrets('metrics', await get(endpoint, '/metrics'));
  assertKeepsNone(dataDir);
  const { code, stdout, stderr } = await server.end('SIGTERM');
  assert.equal(code, 0);
  assert.match(stderr, /"level":"debug"|"level":"info"/, 'the log says much');
  assertWithoutSecrets('standard output', stdout);
  assertWithoutSecrets('the log', stderr);
  assertKeepsNone(dataDir);
});

/** Every provider with every fault of the table that it can have, but a silence within the answer: it lasts minutes. */
function cellsOf(): Omit<Cell, 'upstream'>[] {
  return TESTED.flatMap((provider) =>
    (Object.keys(EXPECTATIONS[provider]) as FaultName[])
      .filter((fault) => fault !== 'hang')
      .map((fault, index) => ({
        ...{ name: `${provider}-${index}`, provider, fault },
      })),
  );
}

async function quotingUpstream(t: TestContext, { provider, fault }: Omit<Cell, 'upstream'>): Promise<FakeUpstream> {
  const upstream = await fakeUpstream(t);
  const quoted = `Wrong key ${keyOf(provider)} with ${headerOf(provider)} in: `;
  // The second key is where a long text is cut.
  const message = `${quoted.padEnd(1_000 - TELLING - 4, '.')}${keyOf(provider)}`;
  upstream.script(...(FAULTS[fault] as Outcome[]).map((outcome) => quoting(outcome, message)));
  return upstream;
}

function quoting(outcome: Outcome, message: string): Outcome {
  const { fault } = outcome;
  const canQuote = fault?.type === 'status' || fault?.type === 'errorEvent' || fault?.type === 'failure';
  return canQuote ? { ...outcome, fault: { ...fault, message } } : outcome;
}

/** Some keys are in the environment, others stored; the secret headers are stored. */
function definitionOf({ name, provider, upstream }: Cell): object {
  const [variable] = Object.entries(ENVIRONMENT).find(([, value]) => value === keyOf(provider)) ?? [];
  return {
    name,
    provider: vendorOf(provider),
    baseUrl: upstream.baseUrl(vendorOf(provider)),
    apiKey: variable === undefined ? keyOf(provider) : { env: variable },
    headers: { 'x-tenant-key': headerOf(provider) },
    allowPrivateNetwork: true,
    ...(provider === 'bedrock' ? { region: 'us-east-1' } : {}),
  };
}

/** The key and the header were sent to their provider only. */
function assertSentItsOwn({ name, provider, upstream }: Cell): void {
  const sent = JSON.stringify(upstream.requests);
  const own = [keyOf(provider), headerOf(provider)];
  assert.deepEqual(
    SECRETS.filter((secret) => sent.includes(secret)),
    SECRETS.filter((secret) => own.includes(secret)),
    name,
  );
}

interface Endpoint {
  url: string;
  key: string;
}

async function get({ url, key }: Endpoint, path: string): Promise<string> {
  return (await fetch(`${url}${path}`, { headers: { 'x-api-key': key } })).text();
}

async function post({ url, key }: Endpoint, path: string, body: object): Promise<string> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).text();
}
