import { agentOf, serve } from '../support.ts';
import { benchAcceptance } from './acceptance.ts';
import type { Bench } from './bench.ts';
import { benchFreshness } from './freshness.ts';
import { PART } from './ingest-part.ts';
import { benchQueriesMeanwhile } from './meanwhile.ts';

/** Ingestion over HTTP: accepted rate, freshness, memory, and the effect on queries. */
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
