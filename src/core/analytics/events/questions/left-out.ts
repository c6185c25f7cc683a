import type { Aggregation } from '../fields.ts';
import type { Predicate } from '../predicates.ts';
import { type AggregatePlan, aggregatePlan, type Metric, type PartMetric, type PlainMetric } from '../query-plan.ts';
import type { KnownProperty } from '../store.ts';
import type { QueryContext } from './ask.ts';

/**
 * The computation of a question: its plan, and what each of the plan's metrics or parts of a
 * formula is named in the question.
 */
export interface MeasuredPlan {
  plan(): Pick<AggregatePlan, 'selection' | 'metrics'>;
  measures: { aggregation: string; propertyKey?: string | undefined }[];
}

const COUNTS = new Set<Aggregation>(['count', 'distinct_count']);

/**
 * That texts which look like numbers are left out of a sum, an average, a minimum, a maximum or a
 * percentile, and how many. Asks the store only about keys that are known to have texts.
 */
export async function leftOutTexts(
  { plan, measures }: MeasuredPlan,
  known: KnownProperty[],
  { store, caller, signal }: QueryContext,
): Promise<string[]> {
  const hasTexts = ({ propertyKey = '' }: MeasuredPlan['measures'][number]) => {
    const key = propertyKey.replace(/^properties\./, '');
    return known.some((one) => [propertyKey, key].includes(one.key) && one.types.includes('string'));
  };
  if (!measures.some(hasTexts)) return [];
  const { selection, metrics } = plan();
  const asked = metrics.flatMap(partsOf).flatMap((metric, at) => {
    const measure = measures[at]!;
    return metric.field?.kind === 'property' && !COUNTS.has(metric.aggregation) && hasTexts(measure)
      ? [{ ...measure, numerator: [...('where' in metric ? metric.where : []), numberText(metric)] }]
      : [];
  });
  if (asked.length === 0) return [];
  const counted = asked.map(({ numerator }): Metric => ({ aggregation: 'rate', numerator, denominator: [] }));
  const { rows } = await store.query(
    caller.tenantId,
    aggregatePlan({ selection, groupBy: [], metrics: counted }),
    signal,
  );
  const sentences = asked.flatMap(({ aggregation, propertyKey }, at) => {
    const texts = Number(rows[0]?.[3 * at + 1] ?? 0);
    if (texts === 0) return [];
    const what = texts === 1 ? 'is a text that looks like a number' : 'are texts that look like numbers';
    const values = `${texts} ${texts === 1 ? 'value' : 'values'} of ${JSON.stringify(propertyKey)}`;
    return [`${values} ${what}, left out of ${aggregation}: send numbers.`];
  });
  return [...new Set(sentences)];
}

function partsOf(metric: Metric): (PlainMetric | PartMetric)[] {
  if (metric.aggregation === 'rate') return [];
  return metric.aggregation === 'formula' ? metric.parts : [metric];
}

function numberText({ field }: PlainMetric): Predicate {
  return { field: field!, test: { kind: 'numberText' }, negated: false };
}
