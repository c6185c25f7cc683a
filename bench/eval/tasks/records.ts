import type { Task } from './task.ts';

export const records: Task[] = [
  {
    name: 'record-annotation',
    ask: 'Mark on our charts that release 2.4 went live today at 09:00 UTC.',
    holds: () => ({ annotations: [{ text: /2\.4/, at: /^2026-03-12T09:00:00/ }] }),
  },
  {
    name: 'record-metric',
    ask: 'Propose a metric failed_tool_calls: the share of tool calls (tool_called) that did not succeed, lower is better.',
    holds: () => ({
      metrics: [
        {
          name: 'failed_tool_calls',
          goodDirection: 'down',
          formula: { eventName: 'tool_called', aggregation: 'rate' },
        },
      ],
    }),
  },
  {
    name: 'record-alert',
    ask: 'Create an alert that the portal alone shows, for hours in which fewer than 5 conversations start.',
    holds: () => ({
      alerts: [
        {
          question: { eventName: 'conversation_started', dateGrouping: 'hour' },
          condition: { type: 'threshold', operator: 'lt', value: 5 },
        },
      ],
    }),
  },
];
