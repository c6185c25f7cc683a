import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExecutionParts, ExecutionService } from '../../../../src/core/agents/executions/service.ts';
import type { ExecutionState } from '../../../../src/core/agents/executions/store.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { administratorOf } from '../../../support/connectors.ts';

/** `between` runs between what a caller finds and what it puts. */
function serviceOver(between: (state: ExecutionState) => void) {
  let state: ExecutionState | null = null;
  const store: ExecutionParts['store'] = {
    find: async () => state && structuredClone(state),
    agentOf: async () => state?.execution.agentId ?? null,
    put: async (_, execution, before) => {
      if (state) between(state);
      if ((state?.revision ?? null) !== (before?.revision ?? null)) return 'conflict';
      state = { execution, revision: (before?.revision ?? 0) + 1 };
      return 'kept';
    },
    isOfAnotherTenant: async () => false,
    stepsOf: async () => ({ steps: [], hasMore: false }),
    stepsById: async () => [],
    stepOutlines: async () => [],
    stepParents: async () => new Map(),
  };
  const agents = { register: async () => undefined };
  return new ExecutionService({ store, agents, onRecorded: () => undefined, effects: realEffects });
}

const CALLER = { ...administratorOf('t'), scopes: ['*'] as const };

test('ExecutionService: what another records at the same time is kept', async () => {
  let others = 1;
  const service = serviceOver((state) => {
    if (others-- !== 1) return;
    state.execution.model = 'of another';
    state.revision += 1;
  });
  await service.record(CALLER, { id: 'e', threadId: 'thread' });
  const { created, execution } = await service.record(CALLER, { id: 'e', output: 'done' });
  const { threadId, model, output, status } = execution;
  assert.deepEqual([created, threadId, model, output, status], [false, 'thread', 'of another', 'done', 'completed']);
});

test('ExecutionService: a record that always comes too late is refused for now', async () => {
  const service = serviceOver((state) => {
    state.revision += 1;
  });
  await service.record(CALLER, { id: 'e' });
  const late = service.record(CALLER, { id: 'e', output: 'done' });
  await assert.rejects(late, { code: 'unavailable', retryAfter: 1, message: /by too many at once/ });
});
