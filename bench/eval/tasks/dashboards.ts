import { mean, sum } from '../facts.ts';
import { about } from '../score.ts';
import type { Task } from './task.ts';

interface Point {
  value: number;
}

/** Cards have the name of their tab, and the data that they show. */
export const dashboards: Task[] = [
  {
    name: 'dashboard-three-cards',
    ask: 'Build a dashboard tab "Support health" with three cards: conversations of the 7 whole days before today as a number, their resolution rate, and a line of escalations by day over the 14 whole days before today.',
    holds: (facts) => {
      const tab = 'Support health';
      const escalated = facts.count('conversation_escalated', facts.days(14));
      return {
        tabs: [{ name: tab }],
        cards: [
          { tab, cardType: 'number', data: { value: facts.count('conversation_started', facts.days(7)) } },
          {
            tab,
            cardType: 'rate',
            data: { value: about(facts.share('conversation_resolved', 'conversation_started', facts.days(7)) / 100) },
          },
          {
            tab,
            cardType: 'line',
            data: { series: (series: Point[]) => sum(series.map(({ value }) => value)) === escalated },
          },
        ],
      };
    },
  },
  {
    name: 'dashboard-add-card',
    ask: 'Add a bar chart to the tab Operations: the amount of refunds by plan over the 30 whole days before today.',
    holds: (facts) => {
      const amount = sum(facts.values('refund_issued', 'amount', facts.days(30), { plan: 'enterprise' }));
      return {
        cards: [
          { tab: 'Operations', cardType: 'bar', data: { groups: [{ group: 'enterprise', value: about(amount) }] } },
        ],
      };
    },
  },
  {
    name: 'dashboard-change-card',
    ask: 'Rename the card "Customer score, last 7 days" to "Customer score, last 14 days", and let it show the 14 whole days before today.',
    holds: (facts) => ({
      cards: [
        {
          title: 'Customer score, last 14 days',
          cardType: 'gauge',
          tab: 'Operations',
          data: { value: about(mean(facts.values('feedback_given', 'score', facts.days(14)))) },
        },
      ],
    }),
  },
  {
    name: 'dashboard-layout',
    ask: 'Make a dashboard tab "Money" of two number cards side by side, each half as wide as the grid of 12 columns: the sum and the average of the refunds of the 30 whole days before today.',
    holds: (facts) => {
      const amounts = facts.values('refund_issued', 'amount', facts.days(30));
      const card = (x: number, value: number) => ({
        tab: 'Money',
        cardType: 'number',
        gridLayout: { x, y: 0, w: 6 },
        data: { value: about(value) },
      });
      return { cards: [card(0, sum(amounts)), card(6, mean(amounts))] };
    },
  },
  {
    name: 'dashboard-delete-card',
    ask: 'Remove the card "Resolved conversations by topic" from the dashboard.',
    holds: () => ({ removed: [{ title: 'Resolved conversations by topic' }] }),
  },
];
