import { t } from '../../language/index.ts';
import { costText, durationText, tokensOf } from '../../transcript/figures.ts';
import type { Execution, ExecutionList, ExecutionRow } from './executions.ts';

type Status = Execution['status'];

export const STATUSES: readonly { value: Status; label: string; tone: 'good' | 'warning' | 'bad' | 'muted' }[] = [
  { value: 'running', label: t('Running|an execution'), tone: 'warning' },
  { value: 'completed', label: t('Completed|an execution'), tone: 'good' },
  { value: 'failed', label: t('Failed|an execution'), tone: 'bad' },
  { value: 'cancelled', label: t('Cancelled|an execution'), tone: 'muted' },
];

export function statusOf(value: Status): (typeof STATUSES)[number] {
  return STATUSES.find((one) => one.value === value)!;
}

/** The API counts no further. */
export const MAX_COUNTED = 10_000;

/** "1,204 executions", "10,000 executions or more"; in words where nobody counted them. */
export function totalText(total: ExecutionList['total']): string {
  if (total === null) return t('Too many to count here: a narrower filter is counted');
  return total >= MAX_COUNTED
    ? t('{count} executions or more', { count: total })
    : t.count(total, '{count} execution', '{count} executions');
}

type Figures = Pick<ExecutionRow, 'cost' | 'costBasis' | 'latencyMs' | 'totalTokens' | 'inputTokens' | 'outputTokens'>;

const COSTS = { sent: '{cost} sent', priced: '{cost} priced' } as const;

/** Cost and time of an execution; null where they are not known. */
export function figuresOf(execution: Figures) {
  const { cost, costBasis, latencyMs } = execution;
  const tokens = tokensOf(execution);
  const spent = cost === null ? null : costText(cost);
  return {
    cost: spent === null || costBasis === null ? spent : t(COSTS[costBasis], { cost: spent }),
    tokens: tokens === null ? null : t.count(tokens, '{count} token', '{count} tokens'),
    latency: latencyMs === null ? null : durationText(latencyMs),
  };
}
