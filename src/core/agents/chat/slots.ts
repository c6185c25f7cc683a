import { MemoryBudget } from '../../base/concurrency/memory-budget.ts';
import type { Caller } from '../../base/shared/caller.ts';
import { RuntimeError } from '../../base/shared/errors.ts';

/** For the loaded images of all chats: about six requests of the largest size. */
const MAX_IMAGE_BYTES = 128 * 1024 * 1024;
const TENANT_FACTOR = 4;

export interface ChatSlot {
  /** Until `releaseMemory` or `release`. Throws `unavailable` if too little memory is left. */
  reserve(bytes: number): void;
  releaseMemory(): void;
  /** Idempotent. */
  release(): void;
}

export class ChatSlots {
  private readonly maxStreams: number;
  private readonly streams = new Map<string, number>();
  private readonly memory = new MemoryBudget(MAX_IMAGE_BYTES);

  constructor(maxStreams: number) {
    this.maxStreams = maxStreams;
  }

  /** Throws `rate_limited` when the credential or its tenant has no slot left. */
  acquire({ tenantId, credential }: Caller): ChatSlot {
    const limits: [id: string, scope: string, maximum: number][] = [
      [credential.id, 'With this credential', this.maxStreams],
      [tenantId, 'In this tenant', this.maxStreams * TENANT_FACTOR],
    ];
    for (const [id, scope, maximum] of limits) {
      if ((this.streams.get(id) ?? 0) < maximum) continue;
      const message = `${scope} ${maximum} chats are under way, which is the most at once. Try again when one has ended.`;
      throw new RuntimeError('rate_limited', message, { retryAfter: 1 });
    }
    for (const [id] of limits) this.streams.set(id, (this.streams.get(id) ?? 0) + 1);
    let reserved = 0;
    let isActive = true;
    const releaseMemory = () => {
      this.memory.release(tenantId, reserved);
      reserved = 0;
    };
    return {
      reserve: (bytes) => {
        // An image may arrive after the chat has ended.
        if (!isActive) return;
        this.memory.reserve(tenantId, bytes);
        reserved += bytes;
      },
      releaseMemory,
      release: () => {
        if (!isActive) return;
        isActive = false;
        releaseMemory();
        for (const [id] of limits) this.decrement(id);
      },
    };
  }

  private decrement(id: string): void {
    const left = (this.streams.get(id) ?? 1) - 1;
    if (left > 0) this.streams.set(id, left);
    else this.streams.delete(id);
  }
}
