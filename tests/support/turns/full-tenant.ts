import assert from 'node:assert/strict';
import type { TestApp } from '../app.ts';

const OBSERVABILITY = '/api/v1/runtime/observability';
const HOUR = 3_600_000;

/** Event names of a full tenant. */
export const LONG = 'long_texts';
export const WIDE = 'many_properties';

/** Properties of nearly 64 KB: one text, or as many small values. */
const wide = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`key_${index}`, index]));

export const words = (length: number) =>
  'order refund payment churn customer '.repeat(Math.ceil(length / 36)).slice(0, length);

/** Filters of so many kilobytes, none with more values than a filter may have. */
export function filtersOf(kilobytes: number): object[] {
  return Array.from({ length: Math.ceil(kilobytes / 12) }, (_, index) => ({
    propertyKey: `key_${index}`,
    operator: 'in',
    value: Array.from({ length: 1_000 }, (_, value) => `value ${value}`.slice(0, 9)),
  }));
}

/** Stores as much of everything as there may be, or a part of it. */
export async function fillTenant(app: TestApp, share: number): Promise<void> {
  const upTo = (maximum: number) => Math.ceil(maximum * share);
  const make = async (path: string, body: object, method = 'POST') => {
    const { status, body: answer } = await app.request(method, `${OBSERVABILITY}${path}`, body);
    assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(answer).slice(0, 300)}`);
  };
  const now = Date.now();
  const text = (index: number) => `text ${index % 200} `.padEnd(60_000, 'x');
  for (let batch = 0; batch < upTo(4); batch += 1) {
    await app.ingest(
      Array.from({ length: 300 }, (_, index) => ({
        eventName: LONG,
        threadId: `thread ${index % 50}`,
        timestamp: new Date(now - ((batch * 7 + index) % 900) * HOUR).toISOString(),
        properties: { text: text(index), amount: index },
      })),
    );
  }
  await app.ingest(Array.from({ length: Math.max(400, upTo(1_000)) }, () => ({ eventName: WIDE, properties: wide })));
  const condition = (kilobytes: number) => ({ eventName: LONG, filters: filtersOf(kilobytes) });
  for (let index = 0; index < upTo(14); index += 1) {
    await make('/segments', {
      name: `segment_${index}`,
      title: words(200),
      by: 'threadId',
      conditions: [condition(240)],
    });
  }
  const metric = {
    title: words(200),
    description: words(2_000),
    synonyms: ['one', 'two'].map((one) => `${one} ${words(90)}`),
  };
  for (let index = 0; index < upTo(500); index += 1) {
    const formula = { eventName: LONG, aggregation: 'count', filters: index < 8 ? filtersOf(100) : [] };
    await make('/metrics', { name: `metric_${index}`, ...metric, goodDirection: 'up', formula });
  }
  for (let index = 0; index < upTo(10); index += 1)
    await make('/metrics/metric_0', { title: `Title ${index}` }, 'PATCH');
  for (let index = 0; index < upTo(500); index += 1) {
    await make('/terms', {
      term: `term ${index}`,
      definition: words(1_000),
      synonyms: [words(100)],
      metric: 'metric_1',
    });
  }
  for (let index = 0; index < upTo(2_000); index += 1) {
    await make('/annotations', { text: words(500), at: new Date(now - index * HOUR).toISOString() });
  }
  for (let index = 0; index < upTo(300); index += 1) {
    const config = { eventName: LONG, aggregation: 'count', ...(index < 10 ? { filters: filtersOf(100) } : {}) };
    const card = { agentId: 'support', title: `Card ${index}`, cardType: 'number', idempotencyKey: `${index}`, config };
    await make('/dashboard-cards', card);
  }
}
