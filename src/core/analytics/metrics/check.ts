import { invalid, RuntimeError } from '../../base/shared/errors.ts';
import { parseFormula, partsOfFormula } from '../events/formula.ts';
import { type PlanContext, planKpi } from '../events/questions/plan.ts';
import { kpiQuestion } from '../events/questions/question.ts';
import type { MetricDefinition } from './schema.ts';

/**
 * Throws `invalid`, with paths in the definition, unless questions about the metric have a plan.
 */
export function checkMetric(name: string, { title, formula }: MetricDefinition, context: PlanContext): void {
  const version = { version: 1, state: 'proposed', approvedVersion: null, goodDirection: 'none' } as const;
  try {
    planKpi(kpiQuestion({}, { ...version, name, title, formula }), context);
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.code !== 'invalid') throw error;
    throw invalid(...error.messages.map((one) => (one.startsWith('formula.') ? one : `formula.${one}`)));
  }
  if (!('expression' in formula)) return;
  const names = Object.keys(formula.parts);
  const used = partsOfFormula(parseFormula(formula.expression, names, 'formula.expression'));
  const unused = names.filter((_, index) => !used.has(index));
  if (unused.length === 0) return;
  throw invalid(...unused.map((one) => `formula.parts.${one}: is not used in the expression; use it or leave it out`));
}
