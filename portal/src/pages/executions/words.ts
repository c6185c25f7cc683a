import { costText, durationText, tokensOf } from '../../transcript/figures.ts';
import type { Execution, ExecutionList, ExecutionRow } from './executions.ts';

type Status = Execution['status'];

export const STATUSES: readonly { value: Status; label: string; tone: 'good' | 'warning' | 'bad' | 'muted' }[] = [
  { value: 'running', label: 'Running', tone: 'warning' },
  { value: 'completed', label: 'Completed', tone: 'good' },
  { value: 'failed', label: 'Failed', tone: 'bad' },
  { value: 'cancelled', label: 'Cancelled', tone: 'muted' },
];

export function statusOf(value: Status): (typeof STATUSES)[number] {
  return STATUSES.find((one) => one.value === value)!;
}

/** The API counts no further. */
export const MAX_COUNTED = 10_000;

/** "1,204 executions", "10,000 executions or more"; in words where nobody counted them. */
export function totalText(total: ExecutionList['total'], locale?: string): string {
  if (total === null) return 'Too many to count here: a narrower filter is counted';
  const counted = `${total.toLocaleString(locale)} ${total === 1 ? 'execution' : 'executions'}`;
  return total >= MAX_COUNTED ? `${counted} or more` : counted;
}

type Figures = Pick<ExecutionRow, 'cost' | 'costBasis' | 'latencyMs' | 'totalTokens' | 'inputTokens' | 'outputTokens'>;

/** Cost and time of an execution; null where they are not known. */
export function figuresOf(execution: Figures, locale?: string) {
  const { cost, costBasis, latencyMs } = execution;
  const tokens = tokensOf(execution);
  return {
    cost: cost === null ? null : `${costText(cost, locale)}${costBasis === null ? '' : ` ${costBasis}`}`,
    tokens: tokens === null ? null : `${tokens.toLocaleString(locale)} ${tokens === 1 ? 'token' : 'tokens'}`,
    latency: latencyMs === null ? null : durationText(latencyMs, locale),
  };
}
