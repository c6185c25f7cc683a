import assert from 'node:assert/strict';
import { openState } from '../../../src/app/state.ts';
import { loadConfig } from '../../../src/config.ts';
import { eventually } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { type ChatServer, chatDirectory } from './support.ts';

const USAGE = '/api/v1/runtime/v1/usage';
const PRICE = { price: { inputPerMillion: 0.01, outputPerMillion: 20 } };
/** Each answer costs 2 cents and reserves 4. */
const ANSWER = { usage: { inputTokens: 12, outputTokens: 1_000 } };
const MAX_TOKENS = 2_000;

rareTest('Budgets: a kill during 200 parallel chats spends no more than 1 USD in all', async (t) => {
  const { dataDir, key, upstream, start } = await chatDirectory(t, PRICE);
  const state = await openState(loadConfig({ dataDir }, {}, {}));
  const [tenant] = await state.tenants.list();
  await state.quotas.changeTenant(tenant!, { 'cost-per-day': 1 });
  await state.close();

  const server = await start();
  const budgetOf = async (of: ChatServer) => (await of.request(key, 'GET', USAGE)).body.tenant.quotas[0];
  const ask = (of: ChatServer) =>
    of.chat({ maxTokens: MAX_TOKENS }).then(
      ({ status }) => status,
      () => 0,
    );
  upstream.script(...Array.from({ length: 10 }, () => ANSWER), {
    ...ANSWER,
    pieces: [{ type: 'text', text: 'Once ' }, { type: 'hold' }],
  });
  const begun = Array.from({ length: 200 }, () => ask(server));
  await eventually(
    'ten have ended, and others are under way',
    async () => {
      const { used, reserved } = await budgetOf(server);
      return used > 0.2 && reserved > 0.4;
    },
    15_000,
  );
  // The ten released what they did not use, so others begin until the budget is exhausted.
  for (let isFull = false; !isFull; ) {
    const next = ask(server);
    begun.push(next);
    const isAsked = upstream.whenRequested(upstream.requests.length + 1).then(() => 200);
    isFull = (await Promise.race([next, isAsked])) === 429;
  }
  await server.end('SIGKILL');
  await Promise.all(begun);
  const asked = upstream.requests.length;

  const again = await start();
  const after = await budgetOf(again);
  assert.equal(after.reserved, 0);
  assert.ok(after.used >= 0.96 && after.used <= 1, `${after.used}: what was under way counts in full`);
  assert.equal(await ask(again), 429);
  assert.equal(upstream.requests.length, asked, 'nobody is asked any more');
  assert.ok(asked * 0.02 <= 1.04);
});
