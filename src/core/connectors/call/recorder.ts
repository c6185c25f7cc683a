import { DEFAULT_AGENT } from '../../auth/schema.ts';
import { EventOutbox, type OutboxParts } from '../../events/outbox.ts';
import type { Caller } from '../../shared/caller.ts';
import type { Effects } from '../../shared/effects.ts';
import type { CallMetadata } from './execute-schema.ts';

/** Written together: a commit costs as much for one call as for a hundred. */
const PAUSE_MS = 250;
/** After a failure; a full disk is not emptied by trying. */
const RETRY_MS = 1_000;
/** Characters that may wait for a disk that takes nothing. Beyond that, calls are not recorded. */
const MAX_WAITING = 16 * 1024 * 1024;
/** How long an ending process tries to write what waits. */
const CLOSE_MS = 5_000;
const MAX_ERROR = 500;

export interface CallRecorderParts extends OutboxParts {
  effects: Effects;
  onError(error: unknown): void;
  /** A call is not recorded: too many wait. */
  onLost(): void;
}

/** A call that has ended. `error` is null for one that succeeded. */
export interface EndedCall {
  caller: Caller;
  metadata: CallMetadata;
  credential: string | null;
  error: { code: string; message: string } | null;
  fallback: boolean;
}

/**
 * Records calls as events `runtime.connector_executed` and `runtime.connector_failed`: none waits for a disk, so that a crash may
 * lose those of the last quarter of a second. Never records what was sent, nor more of what was answered than the API's own
 * words for a failure.
 */
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
    if (this.outbox.size > MAX_WAITING) {
      onLost();
      return;
    }
    const { connector, resource, environment, status, duration: durationMs, attempts, mocked } = metadata;
    const told = { connector, resource, environment, status, durationMs, attempts, mocked, fallback };
    const failure = error && { errorCode: error.code, error: error.message.slice(0, MAX_ERROR).toWellFormed() };
    this.outbox.add(caller.tenantId, {
      id: effects.newId(),
      idFromCaller: false,
      agentId: caller.agentId ?? DEFAULT_AGENT,
      eventName: error ? 'runtime.connector_failed' : 'runtime.connector_executed',
      timestamp: effects.now(),
      threadId: null,
      executionId: null,
      properties: JSON.stringify({ ...told, ...(credential !== null && { credential }), ...failure }),
    });
    this.wake(PAUSE_MS);
  }

  /** Writes what waits, for a few seconds at most. */
  async close(): Promise<void> {
    const end = performance.now() + CLOSE_MS;
    clearTimeout(this.timer);
    await this.writing;
    while (!this.outbox.isEmpty && performance.now() < end) {
      if (!(await this.write())) await new Promise((resolve) => setTimeout(resolve, RETRY_MS / 4));
    }
    clearTimeout(this.timer);
  }

  private wake(ms: number): void {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.writing = this.write().then((isWritten) => {
        this.timer = undefined;
        if (!this.outbox.isEmpty) this.wake(isWritten ? PAUSE_MS : RETRY_MS);
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
