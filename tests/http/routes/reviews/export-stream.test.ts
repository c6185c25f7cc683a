import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReviewedExecution } from '../../../../src/core/agents/reviews/store.ts';
import { TRAINING_FORMATS } from '../../../../src/core/agents/reviews/training/schema.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { eventually } from '../../../support/process.ts';
import { rareTest } from '../../../support/rare.ts';
import { EXPORT } from './support.ts';

const MEGABYTE = 1024 * 1024;
const CONTENT = { messages: JSON.stringify([{ role: 'user', content: 'x'.repeat(MEGABYTE) }]), output: '"y"' };

/** A page of one review of a megabyte. */
const page = (number: number): ReviewedExecution[] => [
  { number, id: `review ${number}`, executionId: 'run', rating: 'good', correctedOutput: 'z', content: CONTENT },
];

/** A server whose store gives these pages, what it was asked for and what was logged as an error. */
async function served(t: TestContext, pageAfter: (after: number) => Promise<ReviewedExecution[]>) {
  const app = await testApp(t);
  const asked: number[] = [];
  app.runtime.reviewStore.trainingPage = (_tenantId, _filter, after) => {
    asked.push(after);
    return pageAfter(after);
  };
  const errors: unknown[] = [];
  app.runtime.log.error = (...line: unknown[]) => errors.push(line);
  return { app, asked, errors };
}

/** The response head; its body waits until it is read. */
async function begun({ url, key }: TestApp, query = ''): Promise<IncomingMessage> {
  const request = get(`${url}${EXPORT}?${query}`, { headers: { 'x-api-key': key }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Resolves once nothing more was asked for during some time. */
async function settled(asked: number[]): Promise<number> {
  const { found } = await eventually(
    'the store is left alone',
    async () => {
      const before = asked.length;
      await sleep(300);
      return asked.length === before && before > 0 ? before : null;
    },
    20_000,
  );
  return found;
}

rareTest("training export: the store is read at the client's pace (backpressure)", async (t) => {
  const pages = 40;
  const { app, asked, errors } = await served(t, async (after) => (after < pages ? page(after + 1) : []));
  for (const format of TRAINING_FORMATS) {
    asked.length = 0;
    const response = await begun(app, `format=${format}`);
    const held = await settled(asked);
    assert.ok(held < pages / 2, `${format}: ${held} of ${pages} MB were read while nobody took them`);
    let bytes = 0;
    for await (const chunk of response) bytes += chunk.length;
    assert.ok(response.complete && bytes > pages * MEGABYTE, format);
    assert.equal(asked.length, pages + 1, 'each page once');
  }
  assert.deepEqual(errors, []);
});

test('training export: a client that disconnects ends the reading without an error', async (t) => {
  const { app, asked, errors } = await served(t, async (after) => page(after + 1));
  for (const format of TRAINING_FORMATS) {
    const response = await begun(app, `format=${format}`);
    for await (const _ of response) if (asked.length > 5) break;
    response.destroy();
    await settled(asked);
    asked.length = 0;
  }
  assert.deepEqual(errors, []);
});

/** Resolves when the server has closed the next response that it begins. */
function nextResponseClosed(): Promise<void> {
  return new Promise((resolve) => {
    const listener = (message: unknown) => {
      unsubscribe('http.server.request.start', listener);
      (message as { response: ServerResponse }).response.once('close', resolve);
    };
    subscribe('http.server.request.start', listener);
  });
}

test("training export: a disconnect during a query hides the query's error", async (t) => {
  let reached: (() => void) | undefined;
  let fail: (() => void) | undefined;
  const { app, asked, errors } = await served(t, (after) =>
    after < 2
      ? Promise.resolve(page(after + 1))
      : new Promise((_, reject) => {
          fail = () => reject(new Error('too late'));
          reached?.();
        }),
  );
  const isAsked = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const closed = nextResponseClosed();
  const response = await begun(app);
  response.resume().on('error', () => undefined);
  await isAsked;
  response.destroy();
  await closed;
  fail?.();
  await sleep(50);
  assert.equal(asked.length, 3);
  assert.deepEqual(errors, []);
  assert.equal((await app.request('GET', '/healthz')).status, 200);
});

test('training export: a later store error breaks the connection and is logged', async (t) => {
  const { app, errors } = await served(t, async (after) => {
    if (after >= 3) throw new Error('the disk is gone');
    return page(after + 1);
  });
  for (const format of TRAINING_FORMATS) {
    errors.length = 0;
    const response = await begun(app, `format=${format}`);
    assert.equal(response.statusCode, 200);
    await assert.rejects(async () => {
      for await (const _ of response);
    }, /aborted/);
    assert.equal(response.complete, false);
    assert.equal(errors.length, 1, format);
    const [[{ err, requestId }]] = errors as [[{ err: Error; requestId: string }]];
    assert.deepEqual([err.message, requestId], ['the disk is gone', response.headers['x-request-id']]);
  }
});

test('training export: an early store error has its own status in every format', async (t) => {
  let failure: Error = new Error('the disk is gone');
  const { app, errors } = await served(t, async () => {
    throw failure;
  });
  for (const format of TRAINING_FORMATS) {
    failure = new Error('the disk is gone');
    const broken = await app.request('GET', `${EXPORT}?format=${format}`);
    assert.equal(broken.status, 500, format);
    assert.match(broken.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(broken.headers.get('x-skipped'), null);
    failure = new RuntimeError('unavailable', 'Not now.', { retryAfter: 7 });
    const busy = await app.request('GET', `${EXPORT}?format=${format}`);
    assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, '7'], format);
  }
  assert.equal(errors.length, TRAINING_FORMATS.length, 'that there is no room now is no error');
});

test('training export: HEAD equals GET and reads nothing', async (t) => {
  const { app, asked } = await served(t, async (after) => page(after + 1));
  const { status, headers, body } = await app.request('HEAD', `${EXPORT}?format=dpo-jsonl`);
  assert.deepEqual([status, body, headers.get('x-skipped')], [200, '', '0']);
  assert.match(headers.get('content-type') ?? '', /^application\/x-ndjson/);
  assert.ok(asked.length <= 2, 'the first page, and the next one that is read ahead');
});

test('training export: closing the server does not wait for an unread export', async (t) => {
  const { app, asked } = await served(t, async (after) => page(after + 1));
  const response = await begun(app);
  response.on('error', () => undefined);
  await settled(asked);
  // The server is closed after the test; what is still under way must not hold it up.
});
