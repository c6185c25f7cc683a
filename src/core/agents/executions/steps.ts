import { unprocessable } from '../../base/shared/errors.ts';
import { faultOfTime } from '../../base/time/plausible.ts';
import { parseUtc } from '../../base/time/time.ts';
import { type ChatMessage, readCall, textsOf } from '../chat/message.ts';
import { costOf } from './cost.ts';
import type { ExecutionStep, RecordStep } from './step-schema.ts';
import type { StepContent, StoredStep } from './store.ts';
import { countsOf } from './usage.ts';

/**
 * The steps that are sent; members that are absent or null are those that were recorded before.
 * Throws `unprocessable` for an end before the start, and for implausible times.
 */
export async function mergedSteps(
  sent: readonly RecordStep[],
  known: readonly StoredStep[],
  now: number,
): Promise<StoredStep[]> {
  const before = new Map(known.map((step) => [step.id, step]));
  const steps: StoredStep[] = [];
  for (const [index, step] of sent.entries()) steps.push(await mergedStep(step, before.get(step.id), { index, now }));
  return steps;
}

/** Throws `unprocessable` for an implausible time. */
export function timeIn(text: string, field: string, now: number): number {
  const time = parseUtc(text)!;
  const fault = faultOfTime(time, now);
  if (fault !== null) throw unprocessable(`${field}: ${fault}`);
  return time;
}

async function mergedStep(
  sent: RecordStep,
  before: StoredStep | undefined,
  { index, now }: { index: number; now: number },
): Promise<StoredStep> {
  const startedAt = timeIn(sent.startedAt, `steps[${index}].startedAt`, now);
  const endedAt = sent.endedAt ? timeIn(sent.endedAt, `steps[${index}].endedAt`, now) : (before?.endedAt ?? null);
  if (endedAt !== null && endedAt < startedAt) {
    const field = sent.endedAt ? 'endedAt' : 'startedAt';
    throw unprocessable(`steps[${index}].${field}: lets the step end before it starts.`);
  }
  const provider = sent.provider ?? before?.provider ?? null;
  const model = sent.model ?? before?.model ?? null;
  const usage = sent.usage ?? before?.usage ?? null;
  const { inputTokens, outputTokens, totalTokens } = countsOf(usage);
  const sentCost = sent.cost ?? (before?.costBasis === 'sent' ? before.cost : null);
  const error = sent.error?.message ?? before?.error ?? null;
  return {
    ...{ id: sent.id, parentId: sent.parentId ?? before?.parentId ?? null, kind: sent.kind, name: sent.name },
    status: statusOf(sent, before, { hasError: error !== null, hasEnd: endedAt !== null }),
    ...{ error, errorKind: kindOf(sent) ?? before?.errorKind ?? null, startedAt, endedAt, provider, model, usage },
    ...{ inputTokens, outputTokens, totalTokens },
    ...(await costOf({ cost: sentCost, provider, model, usage, at: startedAt })),
    content: JSON.stringify({ ...contentOf(before), ...contentIn(sent) }),
  };
}

function statusOf(
  sent: RecordStep,
  before: StoredStep | undefined,
  { hasError, hasEnd }: { hasError: boolean; hasEnd: boolean },
): StoredStep['status'] {
  if (sent.status) return sent.status;
  if (sent.error) return 'error';
  return before?.status ?? (hasError ? 'error' : hasEnd ? 'ok' : null);
}

function kindOf({ error }: RecordStep): string | undefined {
  return error && 'kind' in error ? (error.kind ?? undefined) : undefined;
}

function contentIn({ input, output, attributes }: RecordStep): StepContent {
  return {
    ...(input !== undefined && input !== null && { input }),
    ...(output !== undefined && output !== null && { output }),
    ...(attributes && { attributes }),
  };
}

function contentOf(step: StoredStep | undefined): StepContent {
  return step ? (JSON.parse(step.content) as StepContent) : {};
}

/** Throws `unprocessable` when a step that is sent would be its own ancestor. */
export function refuseCycles(sent: readonly StoredStep[], parents: Map<string, string>): void {
  const isFree = new Set<string>();
  for (const [index, { id }] of sent.entries()) {
    const chain = new Set<string>();
    for (let at: string | undefined = id; at !== undefined && !isFree.has(at); at = parents.get(at)) {
      if (chain.has(at)) {
        throw unprocessable(
          `steps[${index}].parentId: makes the step "${at}" its own ancestor; a step runs within an earlier one.`,
        );
      }
      chain.add(at);
    }
    for (const at of chain) isFree.add(at);
  }
}

/**
 * The tool calls of the messages as steps, with their results. A call that was sent as a step, by
 * its id or else by the name of its tool, is left out.
 */
export function stepsOfMessages(messages: readonly ChatMessage[], sent: readonly ExecutionStep[]): ExecutionStep[] {
  const calls = messages.flatMap(({ tool_calls: recorded = [] }) => recorded.flatMap((call) => readCall(call) ?? []));
  const ids = new Set(calls.map(({ id }) => id));
  const sentIds = new Set(sent.map(({ id }) => id));
  const ofTools = sent.filter(({ id, kind }) => kind === 'tool' && !ids.has(id));
  const byName = Map.groupBy(ofTools, ({ name }) => name);
  const results = new Map(messages.map((message) => [message.tool_call_id, message]));
  return calls.flatMap((call) => {
    if (sentIds.has(call.id) || byName.get(call.name)?.pop()) return [];
    const result = results.get(call.id);
    return [stepOfCall(call, result ? textsOf(result.content).join('\n') : null)];
  });
}

function stepOfCall(
  { id, name, arguments: input }: { id: string; name: string; arguments: string },
  output: string | null,
): ExecutionStep {
  return {
    ...{ id, parentId: null, kind: 'tool', name, status: null, error: null, startedAt: null, endedAt: null },
    ...{ input, output },
    ...{ provider: null, model: null, usage: null, inputTokens: null, outputTokens: null, totalTokens: null },
    ...{ cost: null, costBasis: null, attributes: {}, isFromMessages: true },
  };
}
