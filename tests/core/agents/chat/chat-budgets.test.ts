import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ChatBudgets, estimateOf } from '../../../../src/core/agents/chat/chat-budgets.ts';
import type { ChatCandidate } from '../../../../src/core/agents/chat/open-answer.ts';
import type { EndedChat } from '../../../../src/core/agents/chat/recording/record.ts';
import type { ChatRequest } from '../../../../src/core/agents/chat/schema.ts';
import type { Caller } from '../../../../src/core/base/shared/caller.ts';
import type { QuotaState } from '../../../../src/core/limits/quotas/notices.ts';
import type { QuotaLimits } from '../../../../src/core/limits/quotas/schema.ts';
import { SqlBudgetStore } from '../../../../src/storage/state/sql/budgets.ts';
import { SqlTenantStore } from '../../../../src/storage/state/sql/tenants.ts';
import { openStateDatabase } from '../../../../src/storage/state/sqlite/database.ts';
import { temporaryDirectory } from '../../../support/app.ts';

const PRICE = { inputPerMillion: 0, outputPerMillion: 1_000_000 };

function candidateOf(maxTokens: number): ChatCandidate {
  const request = {
    projectId: 'p',
    provider: 'custom',
    model: 'm',
    messages: [{ role: 'user', content: 'x' }],
    maxTokens,
  };
  return {
    provider: 'custom',
    providerName: 'p',
    connection: { baseUrl: null },
    price: PRICE,
    request,
  } as ChatCandidate;
}

interface Setting {
  tenant?: QuotaLimits;
  key?: QuotaLimits;
  now?: string;
}

async function budgetsOf(t: TestContext, { tenant = {}, key = {}, now = '2026-11-23T12:00:00Z' }: Setting) {
  const database = await openStateDatabase(join(temporaryDirectory(t), 'state.sqlite'));
  await new SqlTenantStore(database).create({
    ...{
      id: 'one',
      name: 'one',
      timezone: 'UTC',
      createdAt: 0,
      retentionDays: null,
      executionRetentionDays: null,
      secondFactor: 'optional' as const,
      passwordLogin: true,
      roleLimits: null,
    },
  });
  const store = new SqlBudgetStore(database);
  const clock = { now: Date.parse(now) };
  const noted: QuotaState[] = [];
  const budgets = new ChatBudgets({
    ...{ settings: { ofCaller: async () => ({ tenant, key }) }, store },
    notices: { note: (state) => noted.push(state) },
    effects: { now: () => clock.now, newId: () => 'id' },
    onError: (error) => assert.fail(error as Error),
  });
  t.after(async () => {
    await budgets.settled();
    await database.destroy();
  });
  let chats = 0;
  const caller = callerOf('UTC');
  const reserve = (maxTokens: number, of = caller) => budgets.reserve(of, `chat-${++chats}`, candidateOf(maxTokens));
  const end = (outputTokens: number | null, members: Partial<EndedChat> = {}): EndedChat =>
    ({
      ...{ caller, provider: 'custom', model: 'm', baseUrl: null, price: PRICE, startedAt: clock.now, attempts: 1 },
      ...{ fault: null, usage: outputTokens === null ? null : { inputTokens: 0, outputTokens }, ...members },
    }) as EndedChat;
  return { budgets, store, clock, noted, reserve, end };
}

function callerOf(timezone: string): Caller {
  const credential = { kind: 'key', id: 'key' } as const;
  return {
    ...{ tenantId: 'one', agentId: null, label: 'test', scopes: ['*'], userId: null, role: null },
    ...{ timezone, credential },
  };
}

test('ChatBudgets: Retry-After is the end of the longest exhausted window', async (t) => {
  const { budgets, reserve, end, clock } = await budgetsOf(t, { tenant: { 'cost-per-day': 10, 'cost-per-month': 15 } });
  (await reserve(10)).settle(end(10));
  await budgets.settled();
  await assert.rejects(reserve(1), { code: 'rate_limited', retryAfter: 12 * 3_600, message: /quota cost-per-day/ });
  clock.now = Date.parse('2026-11-24T00:00:00Z');
  (await reserve(5)).settle(end(5));
  await budgets.settled();
  await assert.rejects(reserve(1), { retryAfter: 7 * 86_400, message: /quota cost-per-month .* 15 of 15 USD/ });
  clock.now = Date.parse('2026-12-01T00:00:00Z');
  await reserve(10);
});

test('ChatBudgets: a changed time zone moves the window, not the usage', async (t) => {
  const { budgets, reserve, end, clock } = await budgetsOf(t, { tenant: { 'cost-per-day': 10 } });
  clock.now = Date.parse('2026-11-23T10:00:00Z');
  (await reserve(6)).settle(end(6));
  await budgets.settled();
  clock.now = Date.parse('2026-11-23T23:00:00Z');
  await assert.rejects(reserve(5));
  // Where it is the 24th, which began at 15:00.
  await reserve(10, callerOf('Asia/Tokyo'));
  // Where it is the 23rd, which began at 03:00.
  await assert.rejects(reserve(5, callerOf('America/Sao_Paulo')));
});

test('ChatBudgets: a chat counts in the window of its start', async (t) => {
  const { budgets, store, reserve, end, clock } = await budgetsOf(t, { key: { 'cost-per-day': 10 } });
  clock.now = Date.parse('2026-11-23T23:59:59Z');
  const reservation = await reserve(10);
  clock.now = Date.parse('2026-11-24T00:00:01Z');
  reservation.settle(end(8));
  await budgets.settled();
  await reserve(10);
  const day = (date: string) => store.spending('one', 'key', Date.parse(date), Date.parse(date) + 86_400_000);
  assert.deepEqual([(await day('2026-11-23')).used.tokens, (await day('2026-11-24')).used.tokens], [8, 0]);
});

test('ChatBudgets: an unaccepted request is free, an accepted one costs its input', async (t) => {
  const { budgets, store, reserve, end } = await budgetsOf(t, { tenant: { 'tokens-per-day': 1_000 } });
  const used = async () => {
    await budgets.settled();
    return (await store.spending('one', null, 0, Number.MAX_SAFE_INTEGER)).used.tokens;
  };
  const fault = (kind: string) => ({ fault: { kind, message: '', status: null } });
  for (const kind of ['refused', 'credential', 'rate_limited', 'unavailable']) {
    (await reserve(100)).settle(end(null, fault(kind)));
  }
  (await reserve(100)).settle(end(null, { attempts: 0 }));
  assert.equal(await used(), 0);
  (await reserve(100)).settle(end(null, fault('timeout')));
  const once = await used();
  assert.ok(once > 0 && once < 100, `${once}`);
  (await reserve(100)).settle(end(null, { status: 'cancelled' }));
  assert.equal(await used(), 2 * once);
});

test('ChatBudgets: a model without a price costs nothing, but its tokens count', async (t) => {
  const { budgets, reserve, end, store } = await budgetsOf(t, {
    tenant: { 'cost-per-day': 0, 'tokens-per-day': 1_000 },
  });
  const free = { ...candidateOf(100), price: null };
  const reservation = await budgets.reserve(callerOf('UTC'), 'free', free);
  reservation.settle(end(100, { price: null }));
  await budgets.settled();
  const { used } = await store.spending('one', null, 0, Number.MAX_SAFE_INTEGER);
  assert.deepEqual(used, { tokens: 100, nanos: 0 });
  await assert.rejects(reserve(1), { retryAfter: undefined, message: /quota cost-per-day .* 0 of 0 USD/ });
});

test('ChatBudgets: without budgets nothing is written', async (t) => {
  const { budgets, store, reserve, end } = await budgetsOf(t, { tenant: { events: 1 } });
  const reservation = await reserve(100);
  assert.deepEqual((await store.spending('one', null, 0, Number.MAX_SAFE_INTEGER)).reserved, { tokens: 0, nanos: 0 });
  reservation.settle(end(100));
  await budgets.settled();
  assert.deepEqual((await store.spending('one', null, 0, Number.MAX_SAFE_INTEGER)).used, { tokens: 0, nanos: 0 });
});

test('ChatBudgets: usage is noted after a chat, and reservations at a refusal', async (t) => {
  const { budgets, reserve, end, noted } = await budgetsOf(t, { tenant: { 'cost-per-day': 10 } });
  (await reserve(8)).settle(end(8));
  await budgets.settled();
  await assert.rejects(reserve(3));
  const [settled, refused] = noted.map(({ quota, used, refusedAt }) => [quota, used, refusedAt]);
  assert.deepEqual(
    [settled, refused],
    [
      ['cost-per-day', 8, undefined],
      ['cost-per-day', 8, 8],
    ],
  );
});

function estimated(request: Partial<ChatRequest>, price: ChatCandidate['price'] = null) {
  const asked = { projectId: 'p', provider: 'custom', model: 'm', messages: [], ...request } as ChatRequest;
  const candidate = {
    provider: 'custom',
    connection: { baseUrl: null },
    price,
    request: asked,
  } as unknown as ChatCandidate;
  return estimateOf(candidate, 0);
}

const user = (content: ChatRequest['messages'][number]['content']) => [{ role: 'user' as const, content }];

test('estimateOf: input is bytes of text, number of images and size of files', async () => {
  const nothing = (await estimated({})).inputTokens;
  const text = 'a'.repeat(3_000);
  const inputOf = async (request: Partial<ChatRequest>) => (await estimated(request)).inputTokens - nothing;
  assert.equal(await inputOf({ instructions: text }), 1_000);
  assert.equal(await inputOf({ messages: user(text) }), 1_008);
  assert.equal(await inputOf({ messages: user('語'.repeat(1_000)) }), 1_008, 'a token for each character');
  const image = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${'a'.repeat(1_000_000)}` } };
  assert.equal(await inputOf({ messages: user([image, image]) }), 3_208);
  const file = { type: 'file' as const, file: { filename: 'a.pdf', file_data: 'a'.repeat(15_000) } };
  assert.equal(await inputOf({ messages: user([file]) }), 1_008);
});

test('estimateOf: output is maxTokens, or a default plus thinking', async () => {
  const outputOf = async (request: Partial<ChatRequest>) => {
    const { tokens, inputTokens } = await estimated(request);
    return tokens - inputTokens;
  };
  assert.equal(await outputOf({ maxTokens: 7 }), 7);
  assert.equal(await outputOf({}), 4_096);
  assert.equal(await outputOf({ thinking: { type: 'disabled' } }), 4_096);
  assert.equal(await outputOf({ thinking: { type: 'adaptive' } }), 20_480);
  assert.equal(await outputOf({ thinking: { type: 'enabled', budgetTokens: 30_000 } }), 34_096);
  assert.equal(await outputOf({ thinking: { type: 'enabled', budgetTokens: 5 }, maxTokens: 7 }), 7);
});

test('estimateOf: the price of the definition counts, an unknown price is zero', async () => {
  assert.equal((await estimated({ maxTokens: 1_000 })).nanos, 0);
  const price = { inputPerMillion: 0, outputPerMillion: 2.5 };
  assert.equal((await estimated({ maxTokens: 1_000 }, price)).nanos, 2_500_000);
});
