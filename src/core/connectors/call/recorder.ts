import { EventOutbox, type OutboxParts } from '../../events/outbox.ts';
import { agentToWrite } from '../../shared/agent.ts';
import type { Caller } from '../../shared/caller.ts';
import type { Effects } from '../../shared/effects.ts';
import type { CallMetadata } from './execute-schema.ts';

/** A commit costs the same for one call as for a hundred. */
const PAUSE_MS = 250;
const RETRY_MS = 1_000;
/** Characters. Further calls are dropped. */
const MAX_PENDING = 16 * 1024 * 1024;
const CLOSE_MS = 5_000;
const MAX_ERROR = 500;

export interface CallRecorderParts extends OutboxParts {
  effects: Effects;
  onError(error: unknown): void;
  onLost(): void;
}

export interface EndedCall {
  caller: Caller;
  metadata: CallMetadata;
  credential: string | null;
  error: { code: string; message: string } | null;
  fallback: boolean;
}

/** A crash loses up to a quarter of a second. Records no data but the API's error message. */
export class CallRecorder {
  private readonly parts: CallRecorderParts;
  private readonly outbox: EventOutbox;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<boolean> = Promise.resolve(true);

  constructor(parts: CallRecorderParts) {
    this.parts = parts;
    this.outbox = new EventOutbox(parts);
  }

  record({ caller, metadata, credential, error, fallback }: EndedCall): void {
    const { effects, onLost } = this.parts;
    if (this.outbox.size > MAX_PENDING) {
      onLost();
      return;
    }
    const { connector, resource, environment, status, duration: durationMs, attempts, mocked } = metadata;
    const outcome = { connector, resource, environment, status, durationMs, attempts, mocked, fallback };
    const failure = error && { errorCode: error.code, error: error.message.slice(0, MAX_ERROR).toWellFormed() };
    this.outbox.add(caller.tenantId, {
      id: effects.newId(),
      idFromCaller: false,
      agentId: agentToWrite(caller),
      eventName: error ? 'runtime.connector_failed' : 'runtime.connector_executed',
      timestamp: effects.now(),
      threadId: null,
      executionId: null,
      properties: JSON.stringify({ ...outcome, ...(credential !== null && { credential }), ...failure }),
    });
    this.schedule(PAUSE_MS);
  }

  /** At graceful shutdown, for a few seconds at most. */
  async close(): Promise<void> {
    const end = performance.now() + CLOSE_MS;
    clearTimeout(this.timer);
    await this.writing;
    while (!this.outbox.isEmpty && performance.now() < end) {
      if (!(await this.write())) await new Promise((resolve) => setTimeout(resolve, RETRY_MS / 4));
    }
    clearTimeout(this.timer);
  }

  private schedule(ms: number): void {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.writing = this.write().then((isWritten) => {
        this.timer = undefined;
        if (!this.outbox.isEmpty) this.schedule(isWritten ? PAUSE_MS : RETRY_MS);
        return isWritten;
      });
    }, ms).unref();
  }

  private async write(): Promise<boolean> {
    try {
      await this.outbox.write();
      return true;
    } catch (error) {
      this.parts.onError(error);
      return false;
    }
  }
}
