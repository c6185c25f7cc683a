import { agentOf, serve } from '../support.ts';
import { benchAcceptance } from './acceptance.ts';
import type { Bench } from './bench.ts';
import { benchFreshness } from './freshness.ts';
import { PART } from './ingest-part.ts';
import { benchQueriesMeanwhile } from './meanwhile.ts';

/** What arrives over HTTP: how much is accepted, how soon it is seen, and what that costs memory and queries. */
export async function benchIngest(bench: Bench): Promise<void> {
  const product = await serve('product');
  const sender = { agent: agentOf(64), url: product.url };
  try {
    await benchAcceptance(bench, product, sender);
    await benchFreshness(bench, product, sender);
    const { peak } = await product.ask<{ peak: number }>('memory');
    bench.report.table(PART, 'memory of the server process, after all of the above', [
      { what: 'most ever resident', values: { MB: peak }, demanded: { of: 'MB', atMost: 700 } },
    ]);
  } finally {
    sender.agent.destroy();
    await product.stop();
  }
  await benchQueriesMeanwhile(bench);
}
