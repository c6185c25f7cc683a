import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Caller, requireScope, type Scope } from '../../core/base/shared/caller.ts';
import type { Log } from '../../logging/log.ts';
import { outcomeOf } from '../../metrics/event-store.ts';
import type { Metrics, QueryOutcome } from '../../metrics/metrics.ts';
import { toolError } from '../errors.ts';

export interface ToolWatch {
  log: Log;
  metrics: Metrics;
}

interface CallContext {
  caller: Caller;
  signal: AbortSignal;
  watch: ToolWatch;
  /** `error`: of a call that failed. */
  onEnd?: (outcome: QueryOutcome, ms: number, error: unknown) => void;
  traceId?: string | undefined;
}

export async function runTool(
  name: string,
  scopes: readonly Scope[],
  { caller, signal, watch, onEnd, traceId }: CallContext,
  work: (signal: AbortSignal) => Promise<CallToolResult>,
  failed: (error: unknown, watch: ToolWatch) => CallToolResult = (error) => toolError(error, name, watch.log),
): Promise<CallToolResult> {
  const started = performance.now();
  let outcome: QueryOutcome = 'ok';
  let failure: unknown;
  try {
    for (const scope of scopes) requireScope(caller, scope);
    return await work(signal);
  } catch (error) {
    outcome = outcomeOf(error, signal);
    failure = error;
    return failed(error, watch);
  } finally {
    const ms = performance.now() - started;
    watch.metrics.toolCalls.observe(ms / 1_000, { tool: name, outcome });
    onEnd?.(outcome, ms, failure);
    watch.log.debug({ tool: name, outcome, ms: Math.round(ms), ...(traceId ? { traceId } : {}) }, 'tool call');
  }
}
