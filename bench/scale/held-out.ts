import { type EventsQuery, eventsQuerySchema } from '../../src/core/analytics/events/schema.ts';
import { TENANTS } from '../events/generate.ts';
import { caller, type OwnStore } from '../events/own-store.ts';
import type { Report } from '../events/report.ts';
import { seeded } from '../events/traffic.ts';

type Draw = <Value>(values: readonly Value[]) => Value;

const EVENTS = [
  'page_viewed',
  'message_sent',
  'search_performed',
  'tool_called',
  'product_viewed',
  'purchase_completed',
];
const TEXTS = ['country', 'plan', 'url', 'sku', 'model', 'tool', 'currency', 'utm.source', 'utm.medium', 'user_id'];
const NUMBERS = ['duration_ms', 'amount', 'item_count', 'tokens', 'score'];
const GROUPS = [
  'country',
  'plan',
  'model',
  'tool',
  'is_new',
  'success',
  'utm.source',
  'item_count',
  'agentId',
  'nothing',
];
const AGGREGATIONS = ['sum', 'avg', 'min', 'max', 'median', 'p90', 'p95', 'p99', 'distinct_count', 'count'] as const;
const DATES = [undefined, '2026-01-15', '2026-03', '2026-03-31T10:00:00+02:00', '2026-Q2'];

const FILTERS = [
  { propertyKey: 'plan', operator: 'eq', value: 'pro' },
  { propertyKey: 'plan', operator: 'neq', value: 'free' },
  { propertyKey: 'country', operator: 'in', value: ['DE', 'FR', 'US'] },
  { propertyKey: 'amount', operator: 'gt', value: 99.95 },
  { propertyKey: 'duration_ms', operator: 'lte', value: 350 },
  { propertyKey: 'url', operator: 'contains', value: 'ITEM-7' },
  { propertyKey: 'msg', operator: 'contains', value: 'refund' },
  { propertyKey: 'is_new', operator: 'eq', value: true },
  { propertyKey: 'success', operator: 'neq', value: true },
];

/**
 * Questions that neither store was tuned for, drawn anew from every member with each seed. Both stores must give the same
 * answers to the last digit.
 */
export async function compareHeldOut(
  report: Report,
  { files, scale, count, seed }: { files: OwnStore; scale: OwnStore; count: number; seed: number },
): Promise<void> {
  const random = seeded(seed);
  const draw: Draw = (values) => values[Math.floor(random() * values.length)]!;
  let answered = 0;
  let rows = 0;
  for (let at = 0; at < count; at += 1) {
    const question = drawQuestion(draw);
    const tenant = draw(TENANTS);
    const answers = [files, scale].map((store) => store.runtime.events.query(caller(store, tenant), question));
    const [expected, found] = await Promise.all(answers);
    answered += 1;
    rows += expected!.rows.length;
    if (JSON.stringify(found) === JSON.stringify(expected)) continue;
    report.failure('held-out', `seed ${seed}, question ${at} of ${tenant}: ${JSON.stringify(question)}`);
  }
  report.progress(`${answered} held-out questions of seed ${seed} answered by both, ${rows} rows compared`);
}

function drawQuestion(draw: Draw): EventsQuery {
  const isRaw = draw([true, false, false, false]);
  const filters = Array.from({ length: draw([0, 0, 1, 1, 2]) }, () => draw(FILTERS));
  const common = {
    eventName: draw(EVENTS),
    filters,
    dateFrom: draw(DATES),
    timezone: draw(['UTC', 'America/Sao_Paulo']),
  };
  if (isRaw) {
    return eventsQuerySchema.parse({
      ...{ ...common, columns: ['id', 'timestamp', draw(TEXTS), draw(NUMBERS)], limit: 50, offset: draw([0, 0, 777]) },
      ...{ sortBy: draw(['timestamp', 'timestamp', draw(NUMBERS)]), sortOrder: draw(['asc', 'desc']) },
    });
  }
  const metrics = [draw(AGGREGATIONS), draw(AGGREGATIONS)].map((aggregation, at) => ({
    ...{ aggregation, alias: `m${at}` },
    propertyKey: aggregation === 'distinct_count' ? draw(TEXTS) : draw(NUMBERS),
  }));
  const keys = new Set(Array.from({ length: draw([0, 1, 1, 2]) }, () => draw(GROUPS)));
  return eventsQuerySchema.parse({
    ...{ ...common, mode: 'aggregate', metrics, limit: draw([10, 100]) },
    ...(keys.size > 0
      ? { groupBy: [...keys], sortBy: draw([...keys, 'm0', 'm1']), sortOrder: draw(['asc', 'desc']) }
      : {}),
  });
}
