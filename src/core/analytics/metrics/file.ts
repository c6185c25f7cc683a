import { definitionsIn } from '../../base/shared/definition-file.ts';
import { type CreateMetric, createMetricSchema, metricNameSchema, type ShownMetric } from './schema.ts';

/** One metric, an array or `{"metrics": [...]}`. Throws `invalid`. */
export function metricDefinitionsIn(input: unknown): CreateMetric[] {
  return definitionsIn(input, { noun: 'metric', schema: createMetricSchema, key: 'name', keySchema: metricNameSchema });
}

/** What `apply` takes of a metric. */
export function definitionOf(metric: ShownMetric): CreateMetric {
  const members = Object.entries(metric).filter(([member]) => Object.hasOwn(createMetricSchema.shape, member));
  return Object.fromEntries(members) as CreateMetric;
}
