import { type MaintenanceLease, UNSHARED } from '../../base/concurrency/maintenance.ts';
import { PeriodicTask } from '../../base/concurrency/timers.ts';
import type { Effects } from '../../base/shared/effects.ts';
import type { ExecutionStore } from './store.ts';

const DAY_MS = 86_400_000;
const INTERVAL_MS = 3_600_000;
const FIRST_MS = 90_000;

export interface ExecutionRetentionParts {
  store: Pick<ExecutionStore, 'retentions' | 'expire'>;
  effects: Pick<Effects, 'now'>;
  maintenance?: MaintenanceLease;
  onExpired(tenantId: string, executions: number): void;
  onError(error: unknown): void;
}

/** Removes executions that started longer ago than their tenant keeps them. Reviews stay. */
export function executionRetention(parts: ExecutionRetentionParts): PeriodicTask {
  const { onError } = parts;
  return new PeriodicTask({ firstMs: FIRST_MS, everyMs: INTERVAL_MS, run: () => expireExecutions(parts), onError });
}

/** A tenant that fails does not stop the others. */
export async function expireExecutions(parts: ExecutionRetentionParts): Promise<void> {
  const { store, effects, maintenance = UNSHARED, onExpired, onError } = parts;
  if (!(await maintenance.held('execution retention', INTERVAL_MS))) return;
  for (const { tenantId, days } of await store.retentions()) {
    try {
      const executions = await store.expire(tenantId, effects.now() - days * DAY_MS);
      if (executions > 0) onExpired(tenantId, executions);
    } catch (error) {
      onError(error);
    }
  }
}
