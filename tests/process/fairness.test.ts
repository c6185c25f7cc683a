import assert from 'node:assert/strict';
import { type Attack, NoisyTenant } from '../support/fairness/noisy-tenant.ts';
import { QuietTenant } from '../support/fairness/quiet-tenant.ts';
import { makeTwoTenants } from '../support/fairness/two-tenants.ts';
import { newDataDirectory, startServer } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { fakeUpstream } from '../support/upstream/server.ts';

const EVENTS_OF_NOISE = 60_000;
const ROUNDS = 12;
const ATTACKS: Attack[] = ['slow questions', 'memory hogs', 'deep documents', 'uploads', 'unread streams'];

rareTest('Fairness: a tenant at all its limits causes no refusal for another tenant', async (t) => {
  const dataDir = newDataDirectory(t);
  const [endless, short] = [await fakeUpstream(t), await fakeUpstream(t)];
  endless.script({ fault: { type: 'endless' } });
  const { noisyKey, quietKey } = await makeTwoTenants(dataDir, endless.baseUrl('custom'), short.baseUrl('custom'));
  // Little memory for queries, so that few events are enough to use it up.
  const environment = { AGENT_RUNTIME_QUERY_MEMORY: '100MB' };
  const { url, output } = await startServer(t, dataDir, { environment });
  const noisy = new NoisyTenant({ url, key: noisyKey });
  const quiet = new QuietTenant({ url, key: quietKey });
  await noisy.prepare(EVENTS_OF_NOISE);
  await quiet.prepare();

  noisy.start();
  t.after(() => noisy.stop());
  await endless.whenRequested(1);
  const failures: string[] = [];
  const unanswered = () =>
    ATTACKS.filter((attack) => !Object.keys(noisy.answers).some((one) => one.startsWith(attack)));
  for (let round = 0; round < ROUNDS || unanswered().length > 0; round++) {
    for (const [name, send] of Object.entries(quiet.requests)) {
      await send().catch((error: Error) => failures.push(`${name}: ${error.message}`));
    }
  }
  await noisy.stop();

  assert.deepEqual(failures, []);
  assert.doesNotMatch(output().stderr, /out of memory|failed to/i, 'no write failed for want of memory');
});
