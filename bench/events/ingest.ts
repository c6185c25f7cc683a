import { agentOf, serve } from '../support.ts';
import { benchAcceptance } from './acceptance.ts';
import type { Bench } from './bench.ts';
import { benchFreshness } from './freshness.ts';
import { benchQueriesMeanwhile } from './meanwhile.ts';

/** Ingestion over HTTP: accepted rate, freshness, and the effect on queries. */
export async function benchIngest(bench: Bench): Promise<void> {
  const product = await serve('product');
  const sender = { agent: agentOf(64), url: product.url };
  try {
    await benchAcceptance(bench, product, sender);
    await benchFreshness(bench, product, sender);
  } finally {
    sender.agent.destroy();
    await product.stop();
  }
  await benchQueriesMeanwhile(bench);
}
