import { setTimeout as sleepFor } from 'node:timers/promises';
import type { StoredUser } from '../users/store.ts';
import { type Attempt, accountOf, LoginAttempts } from './attempts.ts';
import type { DeviceCookies } from './device-cookies.ts';
import { AddressSlowdown } from './slowdown.ts';

/** Who sends a login. */
export interface LoginClient {
  /** Where it comes from: an IP address, of IPv6 the network. */
  address: string;
  /** The device cookie, as it was sent. */
  device?: string | undefined;
  userAgent?: string | undefined;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
}

/** A login as it is counted. */
export interface AskedLogin {
  /** Users who may be meant: of the tenant that was named, or of any. */
  known: StoredUser[];
  /** Id of the tenant that was named, or its name where there is none; null: none was named. */
  tenant: string | null;
  email: string;
}

/** A user whose password may be compared, and the attempt that was counted for them. */
export interface Candidate {
  user: StoredUser;
  attempt: Attempt;
}

export interface Admitted {
  candidates: Candidate[];
  /** Id of the user whose known device the login comes from; null: it comes from a stranger. */
  knownUser: string | null;
  /** What was counted for the address of a stranger. */
  ofAddress: Attempt;
  /** Nothing was compared: the login does not count at all. */
  undo(): void;
}

export interface Waiting {
  /** Milliseconds of a monotonic clock: lockouts must not depend on the time of day. */
  elapsed: () => number;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const REAL_WAITING: Waiting = {
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    sleepFor(ms, undefined, signal ? { signal } : {}).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error;
    }),
};

const UNCOUNTED: Attempt = { undo: () => undefined };

/** Decides whether a login may be tried, counts it, and has strangers wait whose address has failed often. */
export class LoginAdmission {
  private readonly devices: DeviceCookies;
  private readonly waiting: Waiting;
  private readonly attempts: LoginAttempts;
  private readonly slowdown: AddressSlowdown;

  constructor({ devices, waiting }: { devices: DeviceCookies; waiting: Waiting }) {
    this.devices = devices;
    this.waiting = waiting;
    this.attempts = new LoginAttempts(waiting.elapsed);
    this.slowdown = new AddressSlowdown(waiting.elapsed);
  }

  /** Throws `rate_limited` when none of the users may be tried, and when too many strangers of the address wait already. */
  async admit(asked: AskedLogin, client: LoginClient): Promise<Admitted> {
    const devices = asked.known.map((user) => this.devices.deviceOf(client.device, user));
    const knownUser = asked.known.find((_, index) => devices[index] !== null)?.id ?? null;
    const { candidates, attempts } = this.count(asked, devices, client);
    const undo = () => {
      for (const attempt of attempts) attempt.undo();
    };
    if (knownUser !== null) return { candidates, knownUser, ofAddress: UNCOUNTED, undo };
    try {
      const ofAddress = this.slowdown.attempt(client.address);
      attempts.push(ofAddress);
      if (ofAddress.wait > 0) await this.waiting.sleep(ofAddress.wait, client.signal);
      return { candidates, knownUser, ofAddress, undo };
    } catch (error) {
      undo();
      throw error;
    }
  }

  /** An attempt at the user's own password within a session of theirs. Throws `rate_limited`. */
  withinSession({ tenantId, email }: StoredUser): Attempt {
    return this.attempts.ofDevice(accountOf(tenantId, email), 'session');
  }

  /** Returns how many failures of the user were forgotten. */
  unlock({ tenantId, email }: Pick<StoredUser, 'tenantId' | 'email'>): number {
    return this.attempts.unlock(accountOf(tenantId, email));
  }

  /** For each user in their own tenant: a namesake in another tenant neither locks them out nor lets them in. */
  private count({ known, tenant, email }: AskedLogin, devices: (string | null)[], { address }: LoginClient) {
    const withoutTenant = accountOf(null, email);
    if (known.length === 0) {
      const alsoOf = tenant === null ? [] : [withoutTenant];
      return { candidates: [], attempts: [this.attempts.ofStranger(accountOf(tenant, email), address, alsoOf)] };
    }
    const candidates: Candidate[] = [];
    let refusal: unknown;
    for (const [index, user] of known.entries()) {
      const account = accountOf(user.tenantId, user.email);
      const device = devices[index] ?? null;
      try {
        const { attempts } = this;
        const attempt = device === null ? attempts.ofStranger(account, address) : attempts.ofDevice(account, device);
        candidates.push({ user, attempt });
      } catch (error) {
        refusal = error;
      }
    }
    if (candidates.length === 0) throw refusal;
    // A tenant must lock out an e-mail that it does not know as soon as one that it knows: the 429 would tell them apart.
    if (tenant === null) this.attempts.note(withoutTenant, address);
    return { candidates, attempts: candidates.map(({ attempt }) => attempt) };
  }
}
