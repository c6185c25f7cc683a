import type { Schemas } from '../../../api/schemas.ts';
import { numberOf } from '../../../editor/values.ts';
import { LANGUAGE } from '../../../language/language.ts';
import { type AskedForm, askedFormOf, askedOf, measurePaths } from '../../../question/state/asked.ts';
import { SCHEDULES, type SendingForm, sendingFormOf, sendingOf, sendingPaths } from '../../../sending/state.ts';
import { type Bucket, bucketOf, durationOf, type LIMITS } from '../words.ts';

type Alert = Schemas['Alert'];
type CreateAlert = Schemas['CreateAlert'];
type Operator = (typeof LIMITS)[number]['value'];

/** An alert as the form holds it. Numbers are texts, so that half a number can be typed. */
export interface AlertForm extends SendingForm {
  subject: 'metric' | 'event' | 'card';
  /** The metric or the measure of events. */
  asked: AskedForm;
  cardId: string;
  bucket: Bucket;
  /** Members of a question that the form has no fields for. */
  others: Record<string, unknown>;
  condition: {
    type: Alert['condition']['type'];
    operator: Operator;
    value: string;
    clear: string;
    /** The size of a change, in percent. */
    percent: string;
  };
  cooldown: { count: string; unit: 'minutes' | 'hours' };
}

const SECONDS = { minutes: 60, hours: 3_600 } as const;

interface Prefilled {
  cardId?: string | undefined;
  metric?: string | undefined;
  /** The agent whose events count; undefined: all. */
  agent?: string | undefined;
}

export function emptyForm({ cardId = '', metric = '', agent }: Prefilled = {}): AlertForm {
  return {
    title: '',
    subject: cardId === '' ? 'metric' : 'card',
    asked: askedFormOf(metric === '' ? {} : { metric }, 'metric'),
    cardId,
    bucket: 'day',
    others: agent === undefined ? {} : { agentId: agent },
    condition: { type: 'threshold', operator: 'lt', value: '', clear: '', percent: '' },
    every: SCHEDULES[0].value,
    timezone: '',
    language: LANGUAGE,
    cooldown: { count: '1', unit: 'hours' },
    targets: [],
  };
}

export function formOf(alert: Alert): AlertForm {
  const { metric, question, cardId, condition } = alert;
  const { agentId, review } = question ?? {};
  const asked = askedFormOf(metric === undefined ? (question ?? {}) : { metric }, 'metric');
  const [count, unit] = durationOf(alert.cooldown);
  return {
    ...sendingFormOf(alert),
    subject: cardId === undefined ? asked.subject : 'card',
    asked,
    cardId: cardId ?? '',
    bucket: bucketOf({ question }) ?? 'day',
    others: { ...(agentId !== undefined && { agentId }), ...(review !== undefined && { review }) },
    condition: {
      ...emptyForm().condition,
      type: condition.type,
      ...('operator' in condition && { operator: condition.operator }),
      ...(condition.type === 'threshold' && { value: String(condition.value), clear: String(condition.clear ?? '') }),
      ...(condition.type === 'change' && { percent: String(percentOf(condition.ratio)) }),
    },
    cooldown: { count: String(count), unit },
  };
}

/** 0.07 × 100 is 7.000000000000001. */
function percentOf(ratio: number): number {
  return Number((ratio * 100).toPrecision(12));
}

/** The request for a new alert. A change sends those of its members that differ. */
export function requestOf(form: AlertForm): CreateAlert {
  return {
    ...sendingOf(form),
    ...subjectOf(form),
    condition: conditionOf(form.condition),
    cooldown: secondsOf(form.cooldown),
  };
}

function subjectOf(form: AlertForm): Pick<CreateAlert, 'metric' | 'question' | 'cardId'> {
  const { subject, cardId, bucket, others } = form;
  if (subject === 'card') return { cardId };
  const asked = askedOf({ ...form.asked, subject });
  // A metric alone is checked by days.
  const isPlain =
    subject === 'metric' && bucket === 'day' && asked.filters === undefined && asked.segment === undefined;
  if (isPlain && Object.keys(others).length === 0) return { metric: asked.metric ?? '' };
  return { question: { ...others, ...asked, dateGrouping: bucket } };
}

function conditionOf({ type, operator, value, clear, percent }: AlertForm['condition']): CreateAlert['condition'] {
  switch (type) {
    case 'threshold':
      return { type, operator, value: numberOf(value), ...(clear.trim() !== '' && { clear: numberOf(clear) }) };
    case 'change': {
      const number = numberOf(percent);
      return { type, operator, ratio: typeof number === 'number' ? Number((number / 100).toPrecision(12)) : number };
    }
    default:
      return { type };
  }
}

function secondsOf({ count, unit }: AlertForm['cooldown']): number {
  const number = numberOf(count);
  return typeof number === 'number' ? Math.round(number * SECONDS[unit]) : number;
}

/** The path of the fields of what is asked, in the request. */
export function askedPath(form: AlertForm): string {
  return 'question' in subjectOf(form) ? 'question.' : '';
}

/** The paths of the fields in the request, to place the server's messages at them. */
export function shownPaths(form: AlertForm): string[] {
  const path = askedPath(form);
  const condition = ['', '.type', '.operator', '.value', '.clear', '.ratio'].map((member) => `condition${member}`);
  return [
    'cardId',
    `${path}metric`,
    `${path}segment`,
    `${path}dateGrouping`,
    ...measurePaths(form.asked, path),
    ...condition,
    'cooldown',
    ...sendingPaths(form),
  ];
}
