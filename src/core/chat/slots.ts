import type { Caller } from '../shared/caller.ts';
import { RuntimeError } from '../shared/errors.ts';
import { MemoryBudget } from '../shared/memory-budget.ts';

/** Of images that were loaded for all chats together: some six of the largest requests. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;
/** All credentials of a tenant together may stream as much as so many of them alone. */
const CREDENTIALS_OF_TENANT = 4;

/** What a chat takes while it lasts. */
export interface ChatSlot {
  /** Counts bytes that it holds until it lets go of them, or leaves. Throws `unavailable` when there is no room for them. */
  reserve(bytes: number): void;
  /** Holds them no more, though it goes on. */
  releaseMemory(): void;
  /** Gives all of it back, once. */
  release(): void;
}

/** How many chats there may be at once with one credential and in one tenant, and how much all of them may hold. */
export class ChatSlots {
  private readonly maxStreams: number;
  /** By the ids of credentials and of tenants. */
  private readonly streams = new Map<string, number>();
  private readonly room = new MemoryBudget(MAX_HELD_BYTES);

  constructor(maxStreams: number) {
    this.maxStreams = maxStreams;
  }

  /** Throws `rate_limited` when the credential, or its tenant, has all of its places. */
  acquire({ tenantId, credential }: Caller): ChatSlot {
    const limits: [name: string, who: string, maximum: number][] = [
      [credential.id, 'With this credential', this.maxStreams],
      [tenantId, 'In this tenant', this.maxStreams * CREDENTIALS_OF_TENANT],
    ];
    for (const [name, who, maximum] of limits) {
      if ((this.streams.get(name) ?? 0) < maximum) continue;
      const message = `${who} ${maximum} chats are under way, which is the most at once. Try again when one has ended.`;
      throw new RuntimeError('rate_limited', message, { retryAfter: 1 });
    }
    for (const [name] of limits) this.streams.set(name, (this.streams.get(name) ?? 0) + 1);
    let held = 0;
    let isInside = true;
    const letGo = () => {
      this.room.release(tenantId, held);
      held = 0;
    };
    return {
      reserve: (bytes) => {
        // What is still on its way when the chat has ended is let go at once.
        if (!isInside) return;
        this.room.reserve(tenantId, bytes);
        held += bytes;
      },
      releaseMemory: letGo,
      release: () => {
        if (!isInside) return;
        isInside = false;
        letGo();
        for (const [name] of limits) this.leave(name);
      },
    };
  }

  private leave(name: string): void {
    const left = (this.streams.get(name) ?? 1) - 1;
    if (left > 0) this.streams.set(name, left);
    else this.streams.delete(name);
  }
}
