import type { StoredUser } from './store.ts';

/** Slows down whoever guesses at passwords. */
export interface LoginThrottle {
  /** Counts an attempt at the user's password, before it is looked at. Throws `rate_limited` after too many. */
  attempt(user: StoredUser): Promise<void>;
  /** The password was right: the attempts before it are forgotten. */
  succeeded(user: StoredUser): Promise<void>;
}

export const UNTHROTTLED: LoginThrottle = {
  attempt: async () => undefined,
  succeeded: async () => undefined,
};
