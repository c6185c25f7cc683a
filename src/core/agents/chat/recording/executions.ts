import type { ExecutionState, ExecutionSteps, SingleExecutions, StepPage, StoredStep } from '../../executions/store.ts';
import type { ChatRecorder } from './recorder.ts';

/** Includes executions that the recorder has yet to write. */
export class RecordedExecutions implements SingleExecutions, ExecutionSteps {
  private readonly store: SingleExecutions & ExecutionSteps;
  private readonly recorder: Pick<ChatRecorder, 'settle'>;

  constructor(store: SingleExecutions & ExecutionSteps, recorder: Pick<ChatRecorder, 'settle'>) {
    this.store = store;
    this.recorder = recorder;
  }

  async find(tenantId: string, id: string): Promise<ExecutionState | null> {
    await this.recorder.settle(id);
    return this.store.find(tenantId, id);
  }

  async agentOf(tenantId: string, id: string): Promise<string | null> {
    await this.recorder.settle(id);
    return this.store.agentOf(tenantId, id);
  }

  /* Others need no `settle`: a `find` precedes them. */

  put(...write: Parameters<SingleExecutions['put']>): Promise<'kept' | 'conflict'> {
    return this.store.put(...write);
  }

  stepsOf(...page: Parameters<ExecutionSteps['stepsOf']>): Promise<StepPage> {
    return this.store.stepsOf(...page);
  }

  stepsById(...steps: Parameters<ExecutionSteps['stepsById']>): Promise<StoredStep[]> {
    return this.store.stepsById(...steps);
  }

  stepParents(tenantId: string, executionId: string): Promise<Map<string, string>> {
    return this.store.stepParents(tenantId, executionId);
  }

  async isOfAnotherTenant(tenantId: string, id: string): Promise<boolean> {
    await this.recorder.settle(id);
    return this.store.isOfAnotherTenant(tenantId, id);
  }
}
