import type { UpsertCard } from '../core/analytics/dashboards/schema.ts';

type DemoCard = Pick<UpsertCard, 'title' | 'cardType' | 'config' | 'gridLayout'>;

const started = 'conversation_started';
/** Whole days only, since they are compared. */
const lastWeek = { dateFrom: '-7d', dateTo: 'yesterday' };

export const demoTabs: { name: string; cards: DemoCard[] }[] = [
  {
    name: 'Service',
    cards: [
      {
        title: 'Conversations, last 7 days',
        cardType: 'number',
        config: { metric: 'conversations', ...lastWeek, compareTo: 'previous_period' },
        gridLayout: { x: 0, y: 0, w: 4, h: 2 },
      },
      {
        title: 'Resolution rate, last 7 days',
        cardType: 'rate',
        config: { metric: 'resolution_rate', ...lastWeek, compareTo: 'previous_period' },
        gridLayout: { x: 4, y: 0, w: 4, h: 2 },
      },
      {
        title: 'Escalations by day',
        cardType: 'line',
        config: {
          eventName: 'conversation_escalated',
          aggregation: 'count',
          dateFrom: '-14d',
          dateTo: 'yesterday',
          dateGrouping: 'day',
        },
        gridLayout: { x: 0, y: 2, w: 8, h: 3 },
      },
      {
        title: 'Conversations by channel',
        cardType: 'pie',
        config: { metric: 'conversations', groupBy: 'channel' },
        gridLayout: { x: 8, y: 0, w: 4, h: 5 },
      },
    ],
  },
  {
    name: 'Operations',
    cards: [
      {
        title: 'Why conversations escalate, last 7 days',
        cardType: 'bar',
        config: { eventName: 'conversation_escalated', aggregation: 'count', groupBy: 'reason', ...lastWeek },
        gridLayout: { x: 0, y: 0, w: 4, h: 3 },
      },
      {
        title: 'Customer score, last 7 days',
        cardType: 'gauge',
        config: {
          eventName: 'feedback_given',
          aggregation: 'avg',
          propertyKey: 'score',
          ...lastWeek,
          min: 1,
          max: 5,
          target: 4,
          thresholds: [
            { value: 3, label: 'fair', color: 'amber' },
            { value: 4, label: 'good', color: 'green' },
          ],
        },
        gridLayout: { x: 4, y: 0, w: 3, h: 3 },
      },
      {
        title: 'From question to feedback',
        cardType: 'funnel',
        config: {
          steps: [
            { eventName: started, label: 'asked' },
            { eventName: 'agent_replied', label: 'answered' },
            { eventName: 'conversation_resolved', label: 'resolved' },
            { eventName: 'feedback_given', label: 'rated' },
          ],
        },
        gridLayout: { x: 0, y: 3, w: 7, h: 3 },
      },
      {
        title: 'Resolved conversations by topic',
        cardType: 'table',
        config: {
          eventName: 'conversation_resolved',
          mode: 'aggregate',
          groupBy: 'topic',
          metrics: [
            { aggregation: 'count', alias: 'resolved' },
            { aggregation: 'median', propertyKey: 'minutes', alias: 'median minutes' },
            { aggregation: 'p95', propertyKey: 'minutes', alias: 'p95 minutes' },
          ],
        },
        gridLayout: { x: 7, y: 0, w: 5, h: 6 },
      },
    ],
  },
];
