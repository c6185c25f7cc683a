import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Options } from './events/options.ts';
import { fill } from './explain.ts';
import { type Server, withServer } from './served.ts';
import { row } from './support.ts';

const ALERTS = 500;
const MINUTES = 3;
const MINUTE = 60_000;

/**
 * The processor time of 500 alerts that are checked each minute, over --rows / 2 events. New events arrive each second, so
 * that no cached answer is measured; the minutes before the alerts have them, too.
 */
export async function benchAlerts({ rows }: Options): Promise<void> {
  const events = Math.round(rows / 2);
  await withServer(async (server) => {
    await fill(server, events);
    const without = await processorShare(server);
    for (let number = 0; number < ALERTS; number += 1) await server.send('/observability/alerts', alertOf(number));
    // The first checks compile their questions.
    await sleep(MINUTE);
    const checked = await processorShare(server);
    await assertChecked(server);
    row('without alerts', percent(without), '');
    const named = `with ${ALERTS} alerts each minute over ${events.toLocaleString('en')} events`;
    row(named, percent(checked), '<= 10 % of a core');
  });
}

interface AlertsAnswer {
  alerts: { lastCheck: { at: string; error: string | null } | null }[];
  total: number;
}

/** A figure of checks that failed or did not run would be none. */
async function assertChecked({ url, key }: Server): Promise<void> {
  const path = '/api/v1/runtime/observability/alerts?limit=500';
  const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } });
  const { alerts, total } = (await response.json()) as AlertsAnswer;
  const late = alerts.filter(
    ({ lastCheck }) =>
      lastCheck === null || lastCheck.error !== null || Date.now() - Date.parse(lastCheck.at) > 2 * MINUTE,
  );
  if (total !== ALERTS || late.length > 0)
    throw new Error(`${late.length} of ${total} alerts were not checked in time`);
}

/** Of one core. */
async function processorShare(server: Server): Promise<number> {
  const before = processorMs(server.child.pid!);
  const end = performance.now() + MINUTES * MINUTE;
  while (performance.now() < end) {
    await server.send('/v1/observability/events', { events: [{ eventName: 'order', properties: { amount: 1 } }] });
    await sleep(1_000);
  }
  return (processorMs(server.child.pid!) - before) / (MINUTES * MINUTE);
}

/** Of all threads; Linux counts in hundredths of a second. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

const CONDITIONS = [
  [{ type: 'threshold', operator: 'lt', value: 10 }, 'hour'],
  [{ type: 'change', operator: 'lt', ratio: -0.5 }, 'day'],
  [{ type: 'anomaly' }, 'day'],
  [{ type: 'no_data' }, 'hour'],
] as const;

function alertOf(number: number): object {
  const [condition, dateGrouping] = CONDITIONS[number % CONDITIONS.length]!;
  const filters = [{ propertyKey: `p${number % 12}`, operator: 'eq', value: `v${number % 2}` }];
  const measure = number % 3 === 0 ? { aggregation: 'sum', propertyKey: 'amount' } : { aggregation: 'count' };
  const question = { eventName: 'order', ...measure, filters, dateGrouping };
  return { title: `Alert ${number}`, question, condition, every: '* * * * *' };
}
