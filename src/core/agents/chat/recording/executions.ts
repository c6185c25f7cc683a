import type { ExecutionState, SingleExecutions, StoredExecution } from '../../executions/store.ts';
import type { ChatRecorder } from './recorder.ts';

/** Includes executions that the recorder has yet to write. */
export class RecordedExecutions implements SingleExecutions {
  private readonly store: SingleExecutions;
  private readonly recorder: Pick<ChatRecorder, 'settle'>;

  constructor(store: SingleExecutions, recorder: Pick<ChatRecorder, 'settle'>) {
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

  /** Needs no `settle`: a `find` precedes it. */
  put(tenantId: string, execution: StoredExecution, after: number | null): Promise<'kept' | 'conflict'> {
    return this.store.put(tenantId, execution, after);
  }

  async isOfAnotherTenant(tenantId: string, id: string): Promise<boolean> {
    await this.recorder.settle(id);
    return this.store.isOfAnotherTenant(tenantId, id);
  }
}
