import type {
  ErasedThread,
  ExecutionState,
  ExecutionStore,
  RecordedChat,
  StoredExecution,
} from '../executions/store.ts';
import type { ChatRecorder } from './recorder.ts';

/** Executions as they will be once the recorder has written what it holds: who asks for a chat finds it. */
export class RecordedExecutions implements ExecutionStore {
  private readonly store: ExecutionStore;
  private readonly recorder: Pick<ChatRecorder, 'settle'>;

  constructor(store: ExecutionStore, recorder: Pick<ChatRecorder, 'settle'>) {
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

  put(tenantId: string, execution: StoredExecution, after: number | null): Promise<'kept' | 'conflict'> {
    return this.store.put(tenantId, execution, after);
  }

  recordChats(chats: RecordedChat[]): Promise<Set<string>> {
    return this.store.recordChats(chats);
  }

  failAbandonedChats(now: number): Promise<number> {
    return this.store.failAbandonedChats(now);
  }

  async isOfAnotherTenant(tenantId: string, id: string): Promise<boolean> {
    await this.recorder.settle(id);
    return this.store.isOfAnotherTenant(tenantId, id);
  }

  erase(tenantId: string, thread: ErasedThread | null): Promise<number> {
    return this.store.erase(tenantId, thread);
  }
}
