import { formatUtc } from '../../base/time/time.ts';
import type { Execution } from './schema.ts';
import type { ExecutionStep } from './step-schema.ts';
import { stepsOfMessages } from './steps.ts';
import {
  contentOf,
  type ExecutionFacts,
  type StepContent,
  type StepOutline,
  type StoredExecution,
  type StoredStep,
} from './store.ts';

const iso = (time: number | null) => (time === null ? null : formatUtc(time));

/** The members that lists show, too. */
export function shownFacts(execution: ExecutionFacts) {
  const { id, agentId, threadId, userId, name, parentId, source, status, errorKind } = execution;
  const { provider, model, inputTokens, outputTokens, totalTokens, cost, costBasis, latencyMs } = execution;
  return {
    ...{ id, agentId, threadId, userId, name, tags: [...execution.tags], parentId, source, status, errorKind },
    ...{ provider, model },
    usage: execution.usage ?? sumOf(execution),
    ...{ inputTokens, outputTokens, totalTokens, cost, costBasis, latencyMs },
    startedAt: iso(execution.startedAt),
    completedAt: iso(execution.completedAt),
    createdAt: formatUtc(execution.createdAt),
    updatedAt: formatUtc(execution.updatedAt),
  };
}

/** The usage of an execution without its own. */
function sumOf({ inputTokens, outputTokens, totalTokens }: ExecutionFacts): Record<string, number> | null {
  const known = Object.entries({ inputTokens, outputTokens, totalTokens }).filter(([, tokens]) => tokens !== null);
  return known.length === 0 ? null : (Object.fromEntries(known) as Record<string, number>);
}

export function shownExecution(execution: StoredExecution, sent: readonly StoredStep[]): Execution {
  const content = contentOf(execution);
  const steps = sent.map(shownStep);
  return {
    ...shownFacts(execution),
    metadata: execution.metadata ?? {},
    ...content,
    steps: [...steps, ...stepsOfMessages(content.messages, steps)],
    stepsTotal: execution.steps,
    chat: execution.chat,
  };
}

export function shownStep({ content, ...step }: StoredStep): ExecutionStep {
  const { input = null, output = null, attributes = {} } = JSON.parse(content) as StepContent;
  return { ...linedStep(step), ...{ input, output, attributes, isFromMessages: false } };
}

export function linedStep<Step extends StepOutline>({ error, errorKind, startedAt, endedAt, ...step }: Step) {
  return {
    ...step,
    error: error === null ? null : { kind: errorKind, message: error },
    startedAt: formatUtc(startedAt),
    endedAt: iso(endedAt),
  };
}
