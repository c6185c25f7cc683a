import { isMainThread } from 'node:worker_threads';
import { realTimers } from '../../../src/core/base/concurrency/timers.ts';
import { realEffects } from '../../../src/core/base/shared/effects.ts';
import { SqlAlertStore } from '../../../src/storage/state/sql/alerts/alerts.ts';
import { SqlDeliveryStore } from '../../../src/storage/state/sql/alerts/deliveries.ts';
import { fastTime, type KillPoint, SPEED } from './alerts-clock.ts';

/*
 * Loaded into a real `serve`: its clock is fast and goes on over restarts, and it kills its own process when a point is
 * reached after SIGUSR2.
 */

/** An attempt has its whole time. */
const ATTEMPT_MS = 15_000;

// biome-ignore lint/suspicious/noExplicitAny: methods of every shape
type Method = (...given: any[]) => Promise<unknown>;

if (isMainThread) {
  const { after } = realTimers;
  realTimers.after = (ms, task) => after(ms === ATTEMPT_MS ? ms : ms / SPEED, task);
  realEffects.now = () => fastTime(Date.now());

  let wanted: KillPoint | undefined;
  process.on('SIGUSR2', () => {
    wanted = process.env.TEST_KILL_AT as KillPoint;
  });
  const killAt = (point: KillPoint) => {
    if (point === wanted) process.kill(process.pid, 'SIGKILL');
  };
  /** At points of calls that matter: before them, and once they are durable. */
  const watch = (
    store: object,
    method: string,
    points: { before?: KillPoint; after?: KillPoint },
    matters: (given: unknown[]) => boolean = () => true,
  ) => {
    const methods = store as Record<string, Method>;
    const real = methods[method]!;
    methods[method] = async function (this: unknown, ...given) {
      const counts = matters(given);
      if (counts && points.before) killAt(points.before);
      const result = await real.apply(this, given);
      if (counts && points.after) killAt(points.after);
      return result;
    };
  };
  const hasChange = ([, settlement]: unknown[]) => (settlement as { change: unknown }).change !== null;
  const { prototype: alerts } = SqlAlertStore;
  watch(alerts, 'settle', { before: 'a change is found', after: 'a change is stored' }, hasChange);
  watch(alerts, 'recorded', { before: 'an event is stored', after: 'a change is recorded' });
  const { prototype: deliveries } = SqlDeliveryStore;
  watch(deliveries, 'settle', { before: 'a message is sent', after: 'a delivery is settled' });
}
