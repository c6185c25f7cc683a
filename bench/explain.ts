import type { Options } from './events/options.ts';
import { allVisible, BATCH, type Server, withServer } from './served.ts';
import { row } from './support.ts';

const PROPERTIES = 12;
const DAYS = 28;
const DAY = 86_400_000;

/** What explain_change takes over --rows / 2 events of twelve properties, in two periods that hold half of them each. */
export async function benchExplain({ rows, rounds }: Options): Promise<void> {
  const events = Math.round(rows / 2);
  await withServer(async (server) => {
    await fill(server, events);
    for (const [name, question] of Object.entries(QUESTIONS))
      await measure(server, rounds, name, { ...question, ...RANGE });
  });
}

const RANGE = { dateFrom: `-${DAYS / 2}d`, dateTo: 'yesterday' };

const QUESTIONS = {
  count: { eventName: 'order', aggregation: 'count' },
  sum: { eventName: 'order', aggregation: 'sum', propertyKey: 'amount' },
  average: { eventName: 'order', aggregation: 'avg', propertyKey: 'amount' },
  rate: {
    eventName: 'order',
    aggregation: 'rate',
    numerator: { filters: [{ propertyKey: 'p3', operator: 'eq', value: 'v1' }] },
  },
};

async function measure({ send }: Server, rounds: number, name: string, question: object): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // Another limit each time, so that no cached answer is measured.
    const started = performance.now();
    const { lookedAt } = await send('/observability/explain', { ...question, filters: [differing(round)] });
    times.push(performance.now() - started);
    if (lookedAt.properties.length < PROPERTIES) throw new Error(`looked at ${lookedAt.properties}`);
  }
  const median = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;
  row(`explain_change of a ${name}`, `${median.toFixed(0)} ms`, '<= 1,000 ms');
}

/** A filter that all events pass. */
function differing(round: number): object {
  return { propertyKey: 'amount', operator: 'gt', value: -1 - round };
}

/** Events of twelve properties in the last 28 days. */
export async function fill({ send }: Server, events: number): Promise<void> {
  const end = Math.floor(Date.now() / DAY) * DAY;
  for (let sent = 0; sent < events; sent += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, events - sent) }, (_, index) => {
      const number = sent + index;
      return {
        eventName: 'order',
        timestamp: new Date(end - 1 - Math.floor((number / events) * DAYS * DAY)).toISOString(),
        properties: { amount: (number % 9_973) / 100, ...propertiesOf(number) },
      };
    });
    await send('/v1/observability/events', { events: batch });
  }
  await allVisible(() => send('/v1/observability/events/query', { eventName: 'order', limit: 1 }));
}

/** Two to a hundred values each. */
function propertiesOf(number: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: PROPERTIES }, (_, index) => {
      const mixed = Math.imul(number + 1, 2_654_435_761 + 2 * index) >>> 0;
      return [`p${index}`, `v${(mixed >>> 8) % [2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100][index]!}`];
    }),
  );
}
