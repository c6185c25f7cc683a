import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricCatalog } from '../../../../src/core/analytics/metrics/catalog.ts';
import type { MetricDefinition } from '../../../../src/core/analytics/metrics/schema.ts';
import type { StoredMetric, StoredTerm } from '../../../../src/core/analytics/metrics/store.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';

/** A catalogue as a team of support and sales would write it. */
export const METRICS: Record<string, Partial<MetricDefinition>> = {
  resolution_rate: {
    title: 'Resolution rate',
    description: 'Share of started conversations that the agent resolved without a person.',
    synonyms: ['solve rate', 'self-service rate'],
  },
  escalation_rate: {
    title: 'Escalation rate',
    description: 'Share of conversations that were handed over to a person.',
    synonyms: ['handoff rate'],
  },
  first_response_time: {
    title: 'First response time',
    description: 'Median minutes until the first reply to a customer.',
    synonyms: ['FRT', 'time to first reply'],
  },
  csat: {
    title: 'Customer satisfaction',
    description: 'Average rating that customers gave after a conversation.',
    synonyms: ['satisfaction score', 'CSAT score'],
  },
  revenue: {
    title: 'Revenue',
    description: 'Sum of the amounts of paid orders, before refunds.',
    synonyms: ['sales', 'turnover', 'gross revenue'],
  },
  net_revenue: { title: 'Net revenue', description: 'Revenue less refunds.', synonyms: ['revenue after refunds'] },
  refund_rate: { title: 'Refund rate', description: 'Share of orders that were refunded.', synonyms: ['return rate'] },
  average_order_value: {
    title: 'Average order value',
    description: 'Revenue by the number of paid orders.',
    synonyms: ['AOV', 'basket size'],
  },
  active_users: {
    title: 'Weekly active users',
    description: 'Distinct users who did something within a week.',
    synonyms: ['WAU', 'active customers'],
  },
  churn_rate: {
    title: 'Churn rate',
    description: 'Share of subscriptions that were cancelled.',
    synonyms: ['cancellation rate', 'attrition'],
  },
  signup_conversion: {
    title: 'Signup conversion',
    description: 'Share of visits that ended in a registration.',
    synonyms: ['conversion rate', 'visitor to signup'],
  },
  cost_per_conversation: {
    title: 'Cost per conversation',
    description: 'Dollars of model tokens by conversation.',
    synonyms: ['LLM cost', 'token spend'],
  },
};

export const PARAPHRASES: Record<string, string[]> = {
  resolution_rate: [
    'Resolution Rate',
    'solve-rate',
    'how many conversations get resolved',
    'percentage of tickets resolved by the agent',
    'self service rate',
  ],
  escalation_rate: [
    'escalations',
    'handoff rate',
    'how often do we escalate to a person',
    'share handed over to a human person',
    'rate of escalated conversations',
  ],
  first_response_time: [
    'FRT',
    'time to first reply',
    'how long until the first response',
    'median minutes to first answer',
    'response time',
  ],
  csat: [
    'CSAT',
    'customer satisfaction',
    'satisfaction score',
    'how satisfied are customers',
    'average rating after conversations',
  ],
  revenue: ['revenue', 'sales', 'turnover', 'gross revenue', 'sum of paid orders'],
  net_revenue: [
    'net revenue',
    'revenue after refunds',
    'net_revenue',
    'revenue less refunds',
    'revenue minus what we refunded, net',
  ],
  refund_rate: [
    'refund rate',
    'return rate',
    'share of refunded orders',
    'how many orders are refunded',
    'refunds rate',
  ],
  average_order_value: [
    'AOV',
    'basket size',
    'average order value',
    'mean value of an order',
    'order value on average',
  ],
  active_users: [
    'WAU',
    'weekly active users',
    'active customers',
    'distinct users in a week',
    'how many users are active',
  ],
  churn_rate: [
    'churn',
    'cancellation rate',
    'attrition',
    'how many subscriptions were cancelled',
    'customer churn rate',
  ],
  signup_conversion: [
    'conversion rate',
    'signup conversion',
    'visits that become signups',
    'visitor-to-signup',
    'registrations per visit conversion',
  ],
  cost_per_conversation: [
    'LLM cost',
    'token spend',
    'cost per conversation',
    'what does a conversation cost',
    'dollars of tokens per chat',
  ],
};

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

async function namedBy(catalog: MetricCatalog, text: string): Promise<string[]> {
  try {
    return [(await catalog.resolve({ tenantId: 't' }, text)).name];
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
    await assert.rejects(catalog.resolve({ tenantId: 't' }, text), { code: 'invalid' }, text);
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
