import type { SampleContent } from '../core/analytics/first-hour/sample-data.ts';
import { demoTabs } from './cards.ts';
import { demoMetrics } from './vocabulary.ts';
import { demoEvents } from './workspace.ts';

/** Fewer than in the demo: they are made while others are served. */
const DAYS = 30;

/** Metrics have names of their own, beside those of the workspace. */
function named(metric: string): string {
  return `sample_${metric}`;
}

/** The demo's story as sample data of a workspace that may have other data. */
export const sampleContent: SampleContent = {
  events: ({ now, prefix, agentId }) =>
    [...demoEvents({ now, days: DAYS })].map(({ id, threadId, executionId, ...event }) => ({
      ...event,
      agentId,
      id: prefix + id,
      threadId: prefix + threadId,
      ...(executionId !== undefined && { executionId: prefix + executionId }),
    })),
  metrics: demoMetrics.map((metric) => ({ ...metric, name: named(metric.name) })),
  tabs: demoTabs.map(({ name, cards }) => ({
    name,
    cards: cards.map(({ title, gridLayout, ...content }) => {
      const { metric } = content.config as { metric?: string };
      const config = metric === undefined ? content.config : { ...content.config, metric: named(metric) };
      return { ...content, config, title, gridLayout } as SampleContent['tabs'][number]['cards'][number];
    }),
  })),
};
