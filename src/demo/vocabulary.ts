import type { CreateAnnotation } from '../core/analytics/annotations/schema.ts';
import type { CreateMetric, GlossaryTerm } from '../core/analytics/metrics/schema.ts';
import type { CreateAlert } from '../core/watch/alerts/schema.ts';
import type { CreateDigest } from '../core/watch/digests/schema.ts';
import { utcMidnight } from './arrivals.ts';
import { OUTAGE } from './story.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;

type DemoMetric = CreateMetric & { isApproved: boolean };

export const demoMetrics: DemoMetric[] = [
  {
    name: 'conversations',
    title: 'Conversations',
    description: 'Conversations that customers started, on any channel.',
    goodDirection: 'none',
    formula: { eventName: 'conversation_started', aggregation: 'count' },
    owner: 'Support',
    isApproved: true,
  },
  {
    name: 'resolution_rate',
    title: 'Resolution rate',
    description: 'Share of the started conversations that were resolved, with or without a person.',
    synonyms: ['solve rate', 'share of resolved conversations'],
    format: { percent: true, decimals: 1 },
    goodDirection: 'up',
    formula: {
      eventName: 'conversation_started',
      aggregation: 'rate',
      numerator: { eventName: 'conversation_resolved' },
    },
    owner: 'Support',
    isApproved: true,
  },
  {
    name: 'minutes_to_solution',
    title: 'Minutes to a solution',
    description: 'Median of the minutes from the first question to the solution.',
    synonyms: ['time to solution'],
    unit: 'minutes',
    format: { decimals: 1 },
    goodDirection: 'down',
    formula: { eventName: 'conversation_resolved', aggregation: 'median', propertyKey: 'minutes' },
    owner: 'Support',
    isApproved: true,
  },
  {
    name: 'escalation_rate',
    title: 'Escalation rate',
    description: 'Share of the started conversations that a person took over.',
    format: { percent: true, decimals: 1 },
    goodDirection: 'down',
    formula: {
      expression: 'escalated / started',
      parts: {
        escalated: { eventName: 'conversation_escalated', aggregation: 'count' },
        started: { eventName: 'conversation_started', aggregation: 'count' },
      },
    },
    isApproved: false,
  },
];

export const demoTerms: GlossaryTerm[] = [
  {
    term: 'conversation',
    definition: 'All messages of a customer about one question, on one channel.',
    synonyms: ['chat', 'ticket'],
    metric: 'conversations',
  },
  {
    term: 'resolved',
    definition: 'The customer said that the question was answered, or was silent for a day after the answer.',
    synonyms: ['solved'],
    metric: 'resolution_rate',
  },
  {
    term: 'escalation',
    definition: 'A person of the support desk takes the conversation over from the agent.',
    metric: 'escalation_rate',
  },
];

/** The outage in the events' story, and a release in the week before. */
export function demoAnnotations(now: number): CreateAnnotation[] {
  const at = (daysBefore: number, hour: number) =>
    new Date(utcMidnight(now) - daysBefore * DAY + hour * HOUR).toISOString();
  return [
    { text: 'Release 2.3: the agent sees shipments', at: at(9, 13) },
    { text: 'Outage of the payment provider', at: at(OUTAGE.from.daysBefore, OUTAGE.from.hour) },
  ];
}

/** Without targets: the portal shows them. The first is alerting from its first check. */
export const demoAlerts: CreateAlert[] = [
  {
    title: 'Few conversations are resolved',
    metric: 'resolution_rate',
    condition: { type: 'threshold', operator: 'lt', value: 0.95, clear: 0.96 },
    every: '* * * * *',
  },
  {
    title: 'Conversations are unusual',
    metric: 'conversations',
    condition: { type: 'anomaly' },
  },
];

export function demoDigest(tabId: string): CreateDigest {
  return { title: 'Support every morning', tabId, every: '0 8 * * *' };
}
