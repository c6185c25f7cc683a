import { withTimeout } from '../core/base/concurrency/timers.ts';
import { RuntimeError } from '../core/base/shared/errors.ts';
import type { Readiness } from '../core/services.ts';
import type { OpenStores } from './open-stores.ts';

const ANSWER_MS = 2_000;

/**
 * Throws `unavailable` when requests cannot be served. Nodes accept events without ClickHouse, and
 * a proxy must not take all of them away: there it is only reported.
 */
export async function readiness({ config, tenants, eventStore }: OpenStores): Promise<Readiness> {
  const events = () => withTimeout(eventStore.ping(), ANSWER_MS, noAnswer);
  await withTimeout(tenants.list(), ANSWER_MS, noAnswer);
  if (config.nodes === null) {
    await events();
    return {};
  }
  const answers = await events().then(
    () => 'ok' as const,
    () => 'unavailable' as const,
  );
  return { dependencies: { PostgreSQL: 'ok', ClickHouse: answers } };
}

function noAnswer(): never {
  throw new RuntimeError('unavailable', 'A store does not answer in time.', { retryAfter: 2 });
}
