import { z } from 'zod';
import { reaches } from '../../base/filters/limits.ts';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import { cursorOf, cursorPlace } from '../../base/shared/cursor.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { forbidden, notFound, outside, RuntimeError } from '../../base/shared/errors.ts';
import type { ListSteps, StepList } from './list-schema.ts';
import { figuresOf, givenIn, merged, newExecution } from './merge.ts';
import type { Execution, RecordExecution } from './schema.ts';
import { linedStep, shownExecution, shownStep } from './shown.ts';
import type { ExecutionStep, LinedStep, RecordStep } from './step-schema.ts';
import { mergedSteps, refuseCycles } from './steps.ts';
import type { ExecutionState, ExecutionSteps, SingleExecutions, StoredExecution, StoredStep } from './store.ts';

const MAX_ATTEMPTS = 100;
/** Steps that an answer with an execution carries. */
const SHOWN_STEPS = 1_000;

export interface ExecutionParts {
  store: SingleExecutions & ExecutionSteps;
  agents: { register(caller: Caller, names: string[]): Promise<void> };
  /** An execution was recorded. */
  onRecorded(): void;
  effects: Effects;
}

interface Recorded {
  created: boolean;
  execution: Execution;
}

export class ExecutionService {
  private readonly parts: ExecutionParts;

  constructor(parts: ExecutionParts) {
    this.parts = parts;
  }

  /** Idempotent upsert. Throws `conflict` (another agent's), `forbidden`, `unprocessable`. */
  async record(caller: Caller, sent: RecordExecution): Promise<Recorded> {
    requireScope(caller, 'executions:write');
    const { store, agents, effects } = this.parts;
    const input = givenIn(sent);
    const id = input.id ?? effects.newId();
    return this.upsert(caller, id, input.steps ?? [], async (before) => {
      if (!before && input.id !== undefined) await refuseForeignExecution(store, caller, id);
      const now = effects.now();
      const execution = await merged(before ?? newExecution(caller, input, { id, now }), input, now);
      if (input.parentId !== undefined && (await store.agentOf(caller.tenantId, input.parentId)) === null) {
        await refuseForeignExecution(store, caller, input.parentId);
      }
      if (!before) await agents.register(caller, [execution.agentId]);
      return execution;
    });
  }

  /** Adds steps, or changes them by id. Throws `not_found`, `forbidden` and `unprocessable`. */
  async recordSteps(caller: Caller, id: string, { steps }: { steps: RecordStep[] }): Promise<Recorded> {
    requireScope(caller, 'executions:write');
    return this.upsert(caller, id, steps, async (before) => {
      if (!before) throw await this.missing(caller, id);
      // A cost that was summed is not its own: the store sums again.
      return { ...before, ...(await figuresOf(before)), updatedAt: this.parts.effects.now() };
    });
  }

  async execution(caller: Caller, id: string): Promise<Execution> {
    requireScope(caller, 'executions:read');
    const { execution } = await this.found(caller, id);
    return this.shown(caller, execution);
  }

  /** Recorded, or of the messages. Throws `not_found`. */
  async step(caller: Caller, execution: Execution, id: string): Promise<ExecutionStep> {
    requireScope(caller, 'executions:read');
    const known = execution.steps.find((step) => step.id === id);
    if (known) return known;
    const [stored] = await this.parts.store.stepsById(caller.tenantId, execution.id, [id]);
    if (stored) return shownStep(stored);
    throw notFound(`The execution "${execution.id}" has no step "${id}".`);
  }

  /** All steps, of which `execution` may carry the first only; errors are cut at `characters`. */
  async outlines(caller: Caller, { id, steps, stepsTotal }: Execution, characters: number): Promise<LinedStep[]> {
    requireScope(caller, 'executions:read');
    const ofMessages = steps.filter(({ isFromMessages }) => isFromMessages);
    if (steps.length - ofMessages.length === stepsTotal) return steps;
    const sent = await this.parts.store.stepOutlines(caller.tenantId, id, characters);
    const ids = new Set(sent.map((step) => step.id));
    return [...sent.map(linedStep), ...ofMessages.filter((step) => !ids.has(step.id))];
  }

  async steps(caller: Caller, id: string, { limit, cursor }: ListSteps): Promise<StepList> {
    requireScope(caller, 'executions:read');
    const after = cursorPlace(cursor, z.tuple([z.int(), z.string()]));
    const { execution } = await this.found(caller, id);
    const place = after && { startedAt: after[0], id: after[1] };
    const { steps, hasMore } = await this.parts.store.stepsOf(caller.tenantId, id, place, limit);
    const last = hasMore ? steps.at(-1)! : null;
    return {
      steps: steps.map(shownStep),
      nextCursor: last && cursorOf([last.startedAt, last.id]),
      total: execution.steps,
    };
  }

  /** `change` gives the next state. It is called again when another change came first. */
  private async upsert(
    caller: Caller,
    id: string,
    sent: RecordStep[],
    change: (before: StoredExecution | null) => Promise<StoredExecution>,
  ): Promise<Recorded> {
    const { store } = this.parts;
    const { tenantId } = caller;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const before = await store.find(tenantId, id);
      if (before && !reaches(caller, 'agents', before.execution.agentId))
        throw outside('agents', `the execution "${id}"`);
      const execution = await change(before?.execution ?? null);
      const steps = sent.length === 0 ? [] : await this.changedSteps(tenantId, before, sent);
      if ((await store.put(tenantId, execution, before, steps)) === 'kept') {
        this.parts.onRecorded();
        const hasSteps = sent.length > 0 || execution.steps > 0;
        const stored = hasSteps ? ((await store.find(tenantId, id))?.execution ?? execution) : execution;
        return { created: !before, execution: await this.shown(caller, stored) };
      }
    }
    throw new RuntimeError('unavailable', 'The execution is being recorded by too many at once. Try again.', {
      retryAfter: 1,
    });
  }

  private async changedSteps(
    tenantId: string,
    before: ExecutionState | null,
    sent: RecordStep[],
  ): Promise<StoredStep[]> {
    const { store } = this.parts;
    const known = before !== null && before.execution.steps > 0;
    const ids = sent.map(({ id }) => id);
    const recorded = known ? await store.stepsById(tenantId, before.execution.id, ids) : [];
    const steps = await mergedSteps(sent, recorded, this.parts.effects.now());
    if (steps.every(({ parentId }) => parentId === null)) return steps;
    const parents = known ? await store.stepParents(tenantId, before.execution.id) : new Map<string, string>();
    for (const { id, parentId } of steps) if (parentId !== null) parents.set(id, parentId);
    refuseCycles(steps, parents);
    return steps;
  }

  private async shown({ tenantId }: Caller, execution: StoredExecution): Promise<Execution> {
    const { steps, id } = execution;
    return shownExecution(
      execution,
      steps === 0 ? [] : (await this.parts.store.stepsOf(tenantId, id, null, SHOWN_STEPS)).steps,
    );
  }

  private async found(caller: Caller, id: string): Promise<ExecutionState> {
    const found = await this.parts.store.find(caller.tenantId, id);
    if (!found || !reaches(caller, 'agents', found.execution.agentId)) throw await this.missing(caller, id);
    return found;
  }

  /** Throws `forbidden` for an execution of another tenant. */
  private async missing(caller: Caller, id: string): Promise<RuntimeError> {
    await refuseForeignExecution(this.parts.store, caller, id);
    return notFound(`There is no execution "${id}". It may not have been recorded.`);
  }
}

/** Throws `forbidden` when the server made this id for another tenant. */
export async function refuseForeignExecution(store: SingleExecutions, { tenantId }: Caller, id: string): Promise<void> {
  if (!(await store.isOfAnotherTenant(tenantId, id))) return;
  throw forbidden(`The execution "${id}" is not one of your tenant.`);
}
