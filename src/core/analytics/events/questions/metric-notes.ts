import { listNames } from '../../../base/shared/names.ts';
import type { ApprovedMetric, DefinedMetric, KpiQuestion } from './kpi-question.ts';

/** Sentences on the metric that a question used. */
export function notesOnMetric(
  { name, title, version, state, approvedVersion }: DefinedMetric,
  reference: string,
): string[] {
  const quoted = JSON.stringify(name);
  const [asked] = reference.split('@');
  const found = asked === name ? [] : [`${JSON.stringify(reference)} is the metric ${quoted} (${title}).`];
  if (state === 'approved') return found;
  if (state === 'proposed') return [...found, `Version ${version} of the metric ${quoted} is proposed, not approved.`];
  const instead = approvedVersion === null ? 'none is approved' : `version ${approvedVersion} is approved`;
  return [...found, `Version ${version} of the metric ${quoted} is deprecated; ${instead}.`];
}

const MAX_NEAR = 2;

/**
 * Which approved metrics measure the same, or at least the same events, as a question about raw
 * events.
 */
export function notesOnRawQuestion(question: KpiQuestion, approved: readonly ApprovedMetric[]): string[] {
  const near = approved
    .map((metric) => ({ metric, closeness: closenessOf(question, metric) }))
    .filter(({ closeness }) => closeness > 0)
    .sort((one, other) => other.closeness - one.closeness)
    .slice(0, MAX_NEAR)
    .map(({ metric }) => metric.name);
  if (near.length === 0) return [];
  return [`Not an approved metric; near: ${listNames(near)}. "metric" asks for one.`];
}

/** 0: other events; 1: the same events; 2: the same measure of them. */
function closenessOf({ eventName, aggregation, propertyKey }: KpiQuestion, { measures }: ApprovedMetric): 0 | 1 | 2 {
  const ofEvent = measures.filter((one) => one.eventName === eventName);
  if (ofEvent.length === 0) return 0;
  return ofEvent.some((one) => one.aggregation === aggregation && one.propertyKey === propertyKey) ? 2 : 1;
}
