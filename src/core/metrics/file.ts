import { definitionsIn } from '../shared/definition-file.ts';
import { type CreateMetric, createMetricSchema, metricNameSchema } from './schema.ts';

/** One metric, an array or `{"metrics": [...]}`. Throws `invalid`. */
export function metricDefinitionsIn(input: unknown): CreateMetric[] {
  return definitionsIn(input, { noun: 'metric', schema: createMetricSchema, key: 'name', keySchema: metricNameSchema });
}
