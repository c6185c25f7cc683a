import { v7 } from 'uuid';

/** What the core asks of the world. Tests hand in their own; everyone else takes these. */
export interface Effects {
  /** Epoch milliseconds. */
  now(): number;
  /** A UUIDv7: unique, and ordered by the time it was made. */
  newId(): string;
}

export const realEffects: Effects = {
  now: () => Date.now(),
  newId: () => v7(),
};
