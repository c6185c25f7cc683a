import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parseKey } from '../../../src/core/access/auth/secrets.ts';
import type { QuotaChanges } from '../../../src/core/limits/quotas/schema.ts';
import { EVENTS, type TestApp } from '../../support/app.ts';
import { type ChatApp, chat, chatApp, type Received } from '../../support/chat.ts';
import { eventually } from '../../support/process.ts';
import { fakeUpstream } from '../../support/upstream/server.ts';

const USAGE = '/api/v1/runtime/v1/usage';
/** 1,000 answer tokens cost 2 cents, and the question nothing to speak of. */
const PRICE = { price: { inputPerMillion: 0.01, outputPerMillion: 20 } };
const ANSWER = { usage: { inputTokens: 12, outputTokens: 1_000 } };
const MAX_TOKENS = 2_000;
const DAY_MS = 86_400_000;

async function pricedApp(t: TestContext, limits: QuotaChanges): Promise<ChatApp> {
  const app = await chatApp(t, { rateLimit: 0 }, PRICE);
  app.upstream.script(ANSWER);
  await app.runtime.quotas.changeTenant({ id: app.tenantId }, limits);
  return app;
}

async function quotaOf({ request }: Pick<TestApp, 'request'>, name: string, of: 'tenant' | 'key' = 'tenant') {
  const { status, body } = await request('GET', USAGE);
  assert.equal(status, 200);
  return body[of].quotas.find(({ quota }: { quota: string }) => quota === name);
}

/** The quota once no chat holds anything of it: a chat is settled just after its answer has ended. */
async function settledQuota(app: ChatApp, name: string) {
  const { found } = await eventually(
    'everything is settled',
    async () => {
      const quota = await quotaOf(app, name);
      return quota.reserved === 0 ? quota : null;
    },
    10_000,
  );
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into events of every shape
async function notices(app: TestApp, eventName: string): Promise<any[]> {
  await app.runtime.eventStore.settle();
  return (await app.request('POST', `${EVENTS}/query`, { eventName, agentId: 'default' })).body.rows;
}

const messageOf = ({ text }: Received): string => JSON.parse(text).message;

test('chat budgets: 200 parallel chats against 1 USD spend at most 1 USD', { timeout: 60_000 }, async (t) => {
  const app = await pricedApp(t, { 'cost-per-day': 1 });
  const ask = () => chat(app, app.ask({ maxTokens: MAX_TOKENS }));
  const first = await Promise.all(Array.from({ length: 200 }, ask));
  const answered = first.filter(({ status }) => status === 200);
  const refused = first.filter(({ status }) => status === 429);
  assert.equal(answered.length + refused.length, 200);
  assert.ok(answered.length >= 24, `${answered.length} at once`);
  for (const received of refused) {
    assert.match(
      messageOf(received),
      /^The quota cost-per-day of the tenant does not allow this: .* of 1 USD are used/,
    );
    const seconds = Number(received.headers['retry-after']);
    assert.ok(seconds >= 1 && seconds <= DAY_MS / 1_000, 'until the day ends');
  }
  // What they reserved and did not take is free again: others go on until nothing fits.
  const { remaining } = await settledQuota(app, 'cost-per-day');
  const rest = Math.floor((remaining - 0.04) / 0.02 + 1);
  for (let index = 0; index < rest; index++) {
    assert.equal((await ask()).status, 200, `of ${rest}: ${index}`);
    await settledQuota(app, 'cost-per-day');
  }
  assert.equal((await ask()).status, 429);
  const { used, limit } = await settledQuota(app, 'cost-per-day');
  const spent = app.upstream.requests.length * (1_000 * 20e-6 + 12 * 0.01e-6);
  assert.equal(used.toFixed(6), spent.toFixed(6), 'what the vendor asks for is what is counted');
  assert.ok(used <= limit && used > 0.95, `${used} of ${limit}`);
  t.diagnostic(`${answered.length} of 200 at once; ${used} USD of ${limit} in the end`);
  assert.equal((await notices(app, 'runtime.quota_warning')).length, 1);
  const [reached, ...others] = await notices(app, 'runtime.quota_reached');
  assert.deepEqual([reached.quota, reached.limit, reached.window, others], ['cost-per-day', 1, 'day', []]);
});

test('GET /usage: a key has its own budgets, readable without a scope', async (t) => {
  const app = await pricedApp(t, { 'tokens-per-month': 100_000 });
  const key = await app.newKey({ scopes: ['chat:write'] });
  const { id } = parseKey(key)!;
  await app.runtime.quotas.changeKey({ id, tenantId: app.tenantId }, { 'tokens-per-day': 3_000 });
  const ask = (maxTokens: number, withKey = key) => chat(app, app.ask({ maxTokens }), { key: withKey });
  const own = (withKey: string) => app.request('GET', USAGE, undefined, { 'x-api-key': withKey });

  assert.equal((await ask(MAX_TOKENS)).status, 200);
  await settledQuota(app, 'tokens-per-month');
  const { body: usage } = await own(key);
  assert.deepEqual(
    usage.key.quotas.map(({ quota, used, remaining }: Record<string, unknown>) => [quota, used, remaining]),
    [['tokens-per-day', 1_012, 1_988]],
  );
  assert.equal(usage.tenant.quotas[0].used, 1_012);
  const refused = await ask(MAX_TOKENS);
  assert.equal(refused.status, 429);
  assert.match(messageOf(refused), /^The quota tokens-per-day of this API key/);
  assert.equal((await ask(MAX_TOKENS, app.key)).status, 200, 'the tenant has some left');
  await settledQuota(app, 'tokens-per-month');
  const { body: other } = await own(await app.newKey({ scopes: ['events:read'] }));
  assert.deepEqual([other.key.quotas, other.tenant.quotas[0].used], [[], 2_024]);
  const stranger = await app.runtime.tenants.create({ name: 'stranger' });
  const { body: foreign } = await own(await app.newKey({ tenant: stranger.name }));
  assert.deepEqual([foreign.tenant.id, foreign.tenant.quotas], [stranger.id, []]);

  const tooLarge = await ask(50_000, key);
  assert.deepEqual([tooLarge.status, tooLarge.headers['retry-after']], [429, undefined], 'waiting would not help');
  assert.match(messageOf(tooLarge), /smaller maxTokens/);
});

test('chat budgets: failed and cancelled chats release the rest of the reservation', async (t) => {
  const app = await pricedApp(t, { 'tokens-per-day': 10_000 });
  app.upstream.script({ fault: { type: 'status', status: 400 } });
  assert.equal((await chat(app, app.ask({ maxTokens: MAX_TOKENS }))).status, 400);
  assert.equal((await settledQuota(app, 'tokens-per-day')).used, 0);

  app.upstream.script({ pieces: [{ type: 'text', text: 'x'.repeat(400) }, { type: 'hold' }] });
  const left = await chat(app, app.ask({ maxTokens: MAX_TOKENS }), { onData: (_, leave) => leave() });
  assert.equal(left.complete, false);
  const { used } = await settledQuota(app, 'tokens-per-day');
  assert.ok(used >= 100 && used < 200, `${used}: by the characters that were asked and answered`);

  app.upstream.script({ fault: { type: 'hangBeforeHeaders' } });
  const unanswered = new AbortController();
  const asked = app.upstream.requests.length;
  const hanging = chat(app, app.ask({ maxTokens: MAX_TOKENS }), { signal: unanswered.signal });
  hanging.catch(() => undefined);
  await app.upstream.whenRequested(asked + 1);
  assert.ok((await quotaOf(app, 'tokens-per-day')).reserved >= MAX_TOKENS);
  unanswered.abort();
  assert.ok((await settledQuota(app, 'tokens-per-day')).used > used, 'the provider may have read the question');
});

test('chat budgets: a fallback that does not fit is skipped', async (t) => {
  const app = await pricedApp(t, { 'cost-per-day': 0.1 });
  const dear = await fakeUpstream(t);
  const fair = await fakeUpstream(t);
  const provider = { provider: 'custom', allowPrivateNetwork: true };
  const fallback = (providerName: string) => ({ provider: 'custom', providerName, model: 'other' });
  const price = (outputPerMillion: number) => ({ price: { inputPerMillion: 0, outputPerMillion } });
  await app.runtime.providers.apply(app.tenantId, [
    { name: 'dear', ...provider, baseUrl: dear.baseUrl('custom'), ...price(1_000) },
    { name: 'fair', ...provider, baseUrl: fair.baseUrl('custom'), ...price(30) },
    {
      ...{ name: 'weak', ...provider, baseUrl: app.upstream.baseUrl('custom'), ...price(1) },
      fallbacks: [fallback('dear'), fallback('fair')],
    },
  ]);
  app.upstream.script({ fault: { type: 'status', status: 401 } });
  fair.script(ANSWER);
  const received = await chat(app, app.ask({ providerName: 'weak', maxTokens: MAX_TOKENS }));
  assert.deepEqual([received.status, received.headers['x-provider-name']], [200, 'fair']);
  assert.equal(dear.requests.length, 0);
  assert.equal((await settledQuota(app, 'cost-per-day')).used, 0.03);
});
