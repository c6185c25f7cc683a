import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type TestApp, testApp } from '../../../../support/app.ts';
import { chat, EXECUTIONS } from '../../../../support/chat.ts';
import { rareTest } from '../../../../support/rare.ts';
import { type FakeUpstream, fakeUpstream } from '../../../../support/upstream/server.ts';
import { type Cell, EXPECTATIONS } from './expectations.ts';
import { FAULTS, type FaultName } from './faults.ts';
import { bodyFor, TESTED, type Tested, vendorOf } from './providers.ts';

/*
 * Every provider with every fault, by its SDK over real HTTP. Each cell has its own upstream, and
 * some run concurrently: most of the time is spent in pauses between attempts.
 */

const AT_ONCE = 8;
/** A hang in the middle is waited for. */
const SETTINGS = { chatTimeout: 60, chatIdle: 4, rateLimit: 0 };
/** Seconds: what hangs before its first content is waited for, too. */
const TIMEOUT_OF_HANGS = 1.5;

for (const [index, provider] of TESTED.entries()) {
  const testSome = index < 1 ? test : rareTest;
  testSome(`fault table: every fault of ${provider} has its expected result`, (t) => walkFaults(t, provider));
}

async function walkFaults(t: TestContext, provider: Tested): Promise<void> {
  const app = await testApp(t, SETTINGS);
  const cells = Object.entries(EXPECTATIONS[provider]) as [FaultName, Cell][];
  const left = cells.entries();
  const failures: string[] = [];
  const walk = async () => {
    for (const [number, [fault, cell]] of left) {
      await checkCell(t, app, { provider, fault, cell, number }).catch((error: unknown) => {
        failures.push(`${fault}: ${error instanceof Error ? error.message : String(error)}`);
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, walk));
  assert.deepEqual(failures, []);
  assert.ok(cells.length > 40);
}

interface Check {
  provider: Tested;
  fault: FaultName;
  cell: Cell;
  number: number;
}

async function checkCell(t: TestContext, app: TestApp, { provider, fault, cell, number }: Check): Promise<void> {
  const upstream = await fakeUpstream(t);
  const providerName = `${provider}-${number}`;
  await app.runtime.providers.apply(app.tenantId, {
    ...definitionOf(provider, providerName, upstream),
    ...(cell.status === 504 ? { timeout: TIMEOUT_OF_HANGS } : {}),
  });
  upstream.script(...FAULTS[fault]);
  const received = await chat(
    app,
    { ...bodyFor(provider), providerName },
    // What breaks in the middle breaks after the first byte.
    { onData: () => upstream.release() },
  );
  const { status, complete, text, headers } = received;
  const told = JSON.stringify({ status, complete, text, attempts: upstream.requests.length });
  assert.equal(status, cell.status, told);
  assert.equal(complete, cell.complete, told);
  assert.equal(upstream.requests.length, cell.attempts, told);
  if (cell.text !== null) assert.equal(text, cell.text);
  else checkErrorBody(JSON.parse(text), status);
  if (cell.retryAfter) {
    const retryAfter = Number(headers['retry-after']);
    assert.ok(
      retryAfter >= cell.retryAfter.atLeast && retryAfter <= cell.retryAfter.atMost,
      `Retry-After ${retryAfter}`,
    );
  }
  const { body } = await app.request('GET', `${EXECUTIONS}/${headers['x-execution-id']}`);
  assert.equal(body.status, cell.executionStatus);
  assert.equal(body.chat.attempts, cell.attempts);
  assert.equal(body.chat.error === null, cell.executionStatus === 'completed');
  assert.ok(!JSON.stringify([body, text, headers]).includes(KEY), 'a secret is told');
}

const KEY = 'sk-secret-of-the-table-0123456789';

function definitionOf(provider: Tested, name: string, upstream: FakeUpstream): object {
  const vendor = vendorOf(provider);
  const region = vendor === 'bedrock' ? { region: 'us-east-1' } : {};
  return {
    name,
    provider: vendor,
    baseUrl: upstream.baseUrl(vendor),
    apiKey: KEY,
    allowPrivateNetwork: true,
    ...region,
  };
}

function checkErrorBody(body: { statusCode: number; message: unknown; error: string }, status: number): void {
  assert.equal(body.statusCode, status);
  assert.equal(Array.isArray(body.message), status === 400);
  assert.ok(body.error.length > 3);
}
