import { listNames } from '../../../base/shared/names.ts';
import { formatUtc } from '../../../base/time/time.ts';
import type { ApprovedMetric, DefinedMetric, KpiQuestion } from './question.ts';

/** An answer with what explains it, one sentence each. */
export type Noted<Answer> = Omit<Answer, 'note'> & { notes: string[] };

/** For MCP: the sentences in one text. */
export function withNote<Answer extends { notes: string[] }>({ notes, ...answer }: Answer) {
  return notes.length > 0 ? { ...answer, note: notes.join(' ') } : answer;
}

/** For REST: left out when there are none. */
export function withNotes<Answer extends { notes: string[] }>({ notes, ...answer }: Answer) {
  return notes.length > 0 ? { ...answer, notes } : answer;
}

/**
 * One sentence on accepted events that an answer does not count; `since` in epoch milliseconds.
 */
export function lateNote(since: number): string {
  return `Events that were accepted since ${formatUtc(since)} are stored, but not counted yet: the server is behind, or its disk fails. Ask again later.`;
}

/** Notes that begin with what is late. */
export function withLate<Answer extends { notes: string[] }>(answer: Answer, late: { since: number | null }): Answer {
  return late.since === null ? answer : { ...answer, notes: [lateNote(late.since), ...answer.notes] };
}

/** Says that the largest page is not the last. */
export function cappedNotes(
  rows: number,
  maximum: number,
  { total, offset }: { total: number; offset: number },
): string[] {
  const next = offset + rows;
  if (rows < maximum || next >= total) return [];
  return [
    `At most ${maximum} rows come at once: rows ${offset + 1} to ${next} of ${total}; go on with offset ${next}.`,
  ];
}

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
 * Names approved metrics that measure the same, or at least the same events, as a question about
 * raw events.
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
