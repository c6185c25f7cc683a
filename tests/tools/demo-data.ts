import { demoEvents } from '../../src/demo/workspace.ts';
import type { AgentData } from '../reference/selection.ts';
import { DEMO_NOW } from '../support/demo.ts';

/** The demo's events for the reference evaluator. */
export const demoAgentData: AgentData = {
  now: DEMO_NOW,
  timezone: 'UTC',
  agentId: 'support',
  events: [...demoEvents({ now: DEMO_NOW })].map(({ timestamp, executionId, ...event }) => ({
    ...event,
    agentId: 'support',
    timestamp: Date.parse(timestamp),
    executionId: executionId ?? null,
  })),
};
