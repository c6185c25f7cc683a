import type { Caller } from '../caller.ts';
import { RuntimeError } from '../errors.ts';
import { Room } from '../room.ts';

/** Of images that were loaded for all chats together: some six of the largest requests. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;

/** What a chat takes while it lasts. */
export interface Place {
  /** Counts bytes that it holds until it lets go of them, or leaves. Throws `unavailable` when there is no room for them. */
  hold(bytes: number): void;
  /** Holds them no more, though it goes on. */
  letGo(): void;
  /** Gives all of it back, once. */
  leave(): void;
}

/** How many chats there may be at once with one credential, and how much all of them may hold. */
export class Places {
  private readonly maxStreams: number;
  private readonly streams = new Map<string, number>();
  private readonly room = new Room(MAX_HELD_BYTES);

  constructor(maxStreams: number) {
    this.maxStreams = maxStreams;
  }

  /** Throws `rate_limited` when the credential has all of its places. */
  enter({ tenantId, credential }: Caller): Place {
    const streams = this.streams.get(credential.id) ?? 0;
    if (streams >= this.maxStreams) {
      throw new RuntimeError(
        'rate_limited',
        `With this credential ${this.maxStreams} chats are under way, which is the most at once. Try again when one has ended.`,
        { retryAfter: 1 },
      );
    }
    this.streams.set(credential.id, streams + 1);
    let held = 0;
    let isInside = true;
    const letGo = () => {
      this.room.give(tenantId, held);
      held = 0;
    };
    return {
      hold: (bytes) => {
        // What is still on its way when the chat has ended is let go at once.
        if (!isInside) return;
        this.room.take(tenantId, bytes);
        held += bytes;
      },
      letGo,
      leave: () => {
        if (!isInside) return;
        isInside = false;
        letGo();
        this.leave(credential.id);
      },
    };
  }

  private leave(credentialId: string): void {
    const left = (this.streams.get(credentialId) ?? 1) - 1;
    if (left > 0) this.streams.set(credentialId, left);
    else this.streams.delete(credentialId);
  }
}
