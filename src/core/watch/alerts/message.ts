import { LOCALES, type MessageTranslator, messageTranslator } from '../../../language/messages.ts';
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

const BEYOND = {
  gt: '{value} is above {limit}',
  gte: '{value} is at or above {limit}',
  lt: '{value} is below {limit}',
  lte: '{value} is at or below {limit}',
} as const satisfies Record<Operator, string>;

const STATES = {
  ok: 'ok',
  alerting: 'alerting',
  no_data: 'no_data',
  failing: 'failing',
} as const satisfies Record<AlertState, string>;

const CHECKED = {
  hour: 'Checked: the hour that begins {start} ({timezone})',
  day: 'Checked: the day that begins {start} ({timezone})',
  week: 'Checked: the week that begins {start} ({timezone})',
  month: 'Checked: the month that begins {start} ({timezone})',
} as const satisfies Record<AlertBucket, string>;

/**
 * The message about a state of an alert. `portalUrl` is the URL of a page of the portal; null: this
 * server has no public URL.
 */
export function alertMessage(notice: AlertNotice, portalUrl: (path: string) => string | null): Message {
  const { id, definition, state, from, finding, at } = notice;
  const url = portalUrl(`alerts/${id}`);
  const eventsUrl = finding.cases && portalUrl(`cases/${finding.cases}`);
  const { title, asked, condition, timezone } = definition;
  const say = messageTranslator(definition.language ?? 'en');
  const headline = `${title}: ${sentence(notice, say)}`;
  const isTest = from === null;
  return {
    type: isTest ? 'alert.test' : `alert.${state}`,
    title: isTest ? say('Test: {headline}', { headline }) : headline,
    text: [
      ...linesOf(notice, say),
      ...(eventsUrl ? [say('Its events: {url}', { url: eventsUrl })] : []),
      ...(url ? [url] : []),
    ].join('\n'),
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

function linesOf(notice: AlertNotice, say: MessageTranslator): string[] {
  const { state, from, finding, measured, definition } = notice;
  const lines = [
    from === null
      ? say('State: {state}; this is a test message', { state: say(STATES[state]) })
      : say('State: {state}, before: {before}', { state: say(STATES[state]), before: say(STATES[from]) }),
  ];
  if (measured) {
    const { question, unit } = measured;
    const { bucket, value } = finding;
    lines.push(
      say('Measured: {measure}', { measure: measureText(question, say) }),
      say('Value: {value}', { value: shownNumber(value, question, definition) }),
    );
    const { timezone } = definition;
    if (bucket !== null) lines.push(say(CHECKED[unit], { start: startText(bucket, unit), timezone }));
  }
  return lines;
}

function measureText(
  { metric, formula, aggregation, propertyKey, eventName }: KpiQuestion,
  say: MessageTranslator,
): string {
  if (metric) {
    const { name, version, state } = metric;
    return say('{name}, version {version} ({state})', { name, version, state });
  }
  if (formula) return formula.expression;
  if (!propertyKey) return say('{aggregation} of {eventName}', { aggregation, eventName });
  return say('{aggregation} of {propertyKey} of {eventName}', { aggregation, propertyKey, eventName });
}

function startText(bucket: string, unit: AlertBucket): string {
  return unit === 'hour' ? bucket.slice(0, 16).replace('T', ' ') : bucket.slice(0, 10);
}

function sentence({ state, from, definition, finding, measured }: AlertNotice, say: MessageTranslator): string {
  const { condition } = definition;
  const shown = (value: number | null) => shownNumber(value, measured?.question, definition);
  const { value, comparedWith, error } = finding;
  switch (state) {
    case 'failing':
      return say('the check fails. {error}', { error: error ?? '' });
    case 'no_data':
      return say('there is no value');
    case 'ok':
      if (condition.type === 'no_data') return say('there are events');
      return from === null
        ? say('{value}, the condition does not hold', { value: shown(value) })
        : say('{value}, the condition no longer holds', { value: shown(value) });
    case 'alerting':
      return beyond(condition, shown(value), shown(comparedWith), say);
  }
}

function beyond(condition: Condition, value: string, limit: string, say: MessageTranslator): string {
  switch (condition.type) {
    case 'threshold':
      return say(BEYOND[condition.operator], { value, limit });
    case 'change':
      return say('{value}, after {before} before', { value, before: limit });
    case 'anomaly':
      return say('{value} is unusual; the same times of earlier weeks have {before}', { value, before: limit });
    case 'no_data':
      return say('there are no events');
  }
}

/** The number as cards write it, in the language of the message. */
function shownNumber(
  value: number | null,
  question: KpiQuestion | undefined,
  { language = 'en' }: AlertDefinition,
): string {
  const isRate = question?.aggregation === 'rate';
  return formatValue(value, presentationOf(undefined, isRate, question?.shown).format, isRate, LOCALES[language]);
}
