import { formatValue, presentationOf } from '../../analytics/dashboards/format.ts';
import type { KpiQuestion } from '../../analytics/events/questions/question.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { Message } from '../deliveries/message.ts';
import type { AlertBucket, Condition, Operator } from './conditions.ts';
import type { AlertDefinition, AlertFinding } from './store.ts';
import type { AlertState } from './transition.ts';

export interface AlertNotice {
  id: string;
  definition: AlertDefinition;
  state: AlertState;
  /** The state before; null in a test. */
  from: AlertState | null;
  finding: AlertFinding;
  /** The question and unit of the finding; null where the check failed before they were known. */
  measured: { question: KpiQuestion; unit: AlertBucket } | null;
  /** Epoch milliseconds. */
  at: number;
}

const BEYOND: Record<Operator, string> = { gt: 'above', gte: 'at or above', lt: 'below', lte: 'at or below' };

/**
 * The message about a state of an alert. `portalUrl` is the URL of a page of the portal; null: this
 * server has no public URL.
 */
export function alertMessage(notice: AlertNotice, portalUrl: (path: string) => string | null): Message {
  const { id, definition, state, from, finding, at } = notice;
  const url = portalUrl(`alerts/${id}`);
  const eventsUrl = finding.cases && portalUrl(`cases/${finding.cases}`);
  const { title, asked, condition, timezone } = definition;
  const headline = `${title}: ${sentence(notice)}`;
  const isTest = from === null;
  return {
    type: isTest ? 'alert.test' : `alert.${state}`,
    title: isTest ? `Test: ${headline}` : headline,
    text: [...linesOf(notice), ...(eventsUrl ? [`Its events: ${eventsUrl}`] : []), ...(url ? [url] : [])].join('\n'),
    data: {
      alertId: id,
      title,
      state,
      ...(from !== null && { from }),
      ...finding,
      ...asked,
      condition,
      timezone,
      at: formatUtc(at),
      ...(url !== null && { url }),
    },
  };
}

function linesOf({ state, from, finding, measured, definition: { timezone } }: AlertNotice): string[] {
  const lines = [from === null ? `State: ${state}; this is a test message` : `State: ${state}, before: ${from}`];
  if (measured) {
    const { question, unit } = measured;
    const { bucket, value } = finding;
    lines.push(`Measured: ${measureText(question)}`, `Value: ${shownNumber(value, question)}`);
    if (bucket !== null) lines.push(`Checked: the ${unit} that begins ${startText(bucket, unit)} (${timezone})`);
  }
  return lines;
}

function measureText({ metric, formula, aggregation, propertyKey, eventName }: KpiQuestion): string {
  if (metric) return `${metric.name}, version ${metric.version} (${metric.state})`;
  if (formula) return formula.expression;
  return `${aggregation}${propertyKey ? ` of ${propertyKey}` : ''} of ${eventName}`;
}

function startText(bucket: string, unit: AlertBucket): string {
  return unit === 'hour' ? bucket.slice(0, 16).replace('T', ' ') : bucket.slice(0, 10);
}

function sentence({ state, from, definition: { condition }, finding, measured }: AlertNotice): string {
  const shown = (value: number | null) => shownNumber(value, measured?.question);
  const { value, comparedWith, error } = finding;
  switch (state) {
    case 'failing':
      return `the check fails. ${error}`;
    case 'no_data':
      return 'there is no value';
    case 'ok':
      return condition.type === 'no_data' ? 'there are events' : `${shown(value)}, ${without(from)}`;
    case 'alerting':
      return beyond(condition, shown(value), shown(comparedWith));
  }
}

function without(from: AlertState | null): string {
  return from === null ? 'the condition does not hold' : 'the condition no longer holds';
}

function beyond(condition: Condition, value: string, comparedWith: string): string {
  switch (condition.type) {
    case 'threshold':
      return `${value} is ${BEYOND[condition.operator]} ${comparedWith}`;
    case 'change':
      return `${value}, after ${comparedWith} before`;
    case 'anomaly':
      return `${value} is unusual; the same times of earlier weeks have ${comparedWith}`;
    case 'no_data':
      return 'there are no events';
  }
}

/** The number as cards write it. */
function shownNumber(value: number | null, question: KpiQuestion | undefined): string {
  const isRate = question?.aggregation === 'rate';
  return formatValue(value, presentationOf(undefined, isRate, question?.shown).format, isRate);
}
