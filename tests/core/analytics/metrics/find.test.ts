import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricCatalog } from '../../../../src/core/analytics/metrics/catalog.ts';
import type { MetricDefinition } from '../../../../src/core/analytics/metrics/schema.ts';
import type { StoredMetric, StoredTerm } from '../../../../src/core/analytics/metrics/store.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { METRICS, PARAPHRASES } from './paraphrases.ts';

const WHEN = { createdAt: 0, createdBy: 'test', decidedAt: 0, decidedBy: 'test' };

function catalogOf(metrics: Record<string, Partial<MetricDefinition>>, terms: Partial<StoredTerm>[] = []) {
  const stored = Object.entries(metrics).map(([name, members]): StoredMetric => {
    const formula = { eventName: name, aggregation: 'count' as const };
    const definition = { title: name, goodDirection: 'none' as const, formula, ...members };
    return { name, version: 1, state: 'approved', definition, ...WHEN };
  });
  const byName = stored.sort((one, other) => (one.name < other.name ? -1 : 1));
  return new MetricCatalog({
    store: {
      current: async () => byName.map((metric) => ({ ...metric, bytes: 1 })),
      find: async (_tenantId, name) => byName.find((metric) => metric.name === name) ?? null,
      some: async () => byName,
    },
    terms: {
      stamps: async () => terms.map(({ term }) => ({ key: term!, changedAt: 0, bytes: 1 })),
      some: async () => terms.map((term) => ({ definition: '', ...term }) as StoredTerm),
    },
    effects: { now: () => 0 },
  });
}

/** The metric that the text finds, or those that the refusal names. */
async function namedBy(catalog: MetricCatalog, text: string): Promise<string[]> {
  try {
    return [(await catalog.resolve('t', text)).name];
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    return [...error.message.matchAll(/"(\w+)" \(/g)].map(([, name]) => name!);
  }
}

test('MetricCatalog: 60 paraphrases find their metric, or it is one of two named', async () => {
  const catalog = catalogOf(METRICS);
  const cases = Object.entries(PARAPHRASES).flatMap(([name, texts]) => texts.map((text) => ({ name, text })));
  assert.equal(cases.length, 60);
  for (const { name, text } of cases) {
    const found = await namedBy(catalog, text);
    assert.ok(found.includes(name) && found.length <= 2, `${text}: ${found.join(', ')} instead of ${name}`);
  }
});

test('MetricCatalog: a text that is no name, title or synonym is never answered', async () => {
  const catalog = catalogOf(METRICS);
  for (const text of ['revenue per', 'rate', 'churn rates', 'resolution rate of pro plan', 'revenu', 'the revenue']) {
    await assert.rejects(catalog.resolve('t', text), { code: 'invalid' }, text);
  }
});

test('MetricCatalog: case, accents and separators do not matter; other words do', async () => {
  const catalog = catalogOf({ conversao: { title: 'Taxa de conversão', synonyms: ['Conv-Rate'] } });
  for (const text of ['conversao', 'CONVERSAO', 'taxa de conversao', 'Taxa_de_Conversão', 'conv rate', 'Conv Rate']) {
    assert.deepEqual(await namedBy(catalog, text), ['conversao'], text);
  }
});

test('MetricCatalog: a name beats the title and the synonym of another', async () => {
  const catalog = catalogOf({ sales: {}, revenue: { title: 'Sales', synonyms: ['sales'] } });
  assert.deepEqual(await namedBy(catalog, 'sales'), ['sales']);
});

test('MetricCatalog: terms and their synonyms find the metric that they mean', async () => {
  const terms = [{ term: 'Umsatz', synonyms: ['Erlös'], metric: 'revenue' }, { term: 'Kunde' }];
  const catalog = catalogOf({ revenue: {}, churn: {} }, terms);
  assert.deepEqual(await namedBy(catalog, 'erlos'), ['revenue']);
  assert.deepEqual(await namedBy(catalog, 'Kunde'), []);
});
