import { setTimeout as sleepFor } from 'node:timers/promises';
import { type Failures, RecentFailures } from '../../limits/rates/failures.ts';
import type { Site } from '../second-factor/passkeys.ts';
import type { StoredUser } from '../users/store.ts';
import { AddressSlowdown, accountOf, type LoginAttempt, LoginAttempts } from './attempts.ts';
import type { DeviceCookies } from './device-cookies.ts';

export interface LoginClient {
  /** IP address; for IPv6 the /64 network. */
  address: string;
  device?: string | undefined;
  userAgent?: string | undefined;
  /** For passkeys. */
  site?: Site;
  signal?: AbortSignal;
}

interface LoginTarget {
  /** Users with this e-mail, in the given tenant or in any. */
  known: StoredUser[];
  /** Id of the given tenant, its name if it does not exist, or null if none was given. */
  tenant: string | null;
  email: string;
}

export interface LoginCandidate {
  user: StoredUser;
  attempt: LoginAttempt;
}

export interface Admitted {
  candidates: LoginCandidate[];
  knownUser: string | null;
  ofAddress: LoginAttempt;
  /** Uncounts the login: no password was compared. */
  undo(): Promise<void>;
}

export interface Waiting {
  /** Milliseconds of a monotonic clock. */
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

export const UNCOUNTED: LoginAttempt = { undo: async () => undefined };

interface AdmissionParts {
  devices: DeviceCookies;
  waiting: Waiting;
  /** Default: those of this process. */
  failures?: Failures | undefined;
}

export class LoginAdmission {
  private readonly devices: DeviceCookies;
  private readonly waiting: Waiting;
  private readonly attempts: LoginAttempts;
  private readonly slowdown: AddressSlowdown;

  constructor({ devices, waiting, failures = new RecentFailures(waiting.elapsed) }: AdmissionParts) {
    this.devices = devices;
    this.waiting = waiting;
    this.attempts = new LoginAttempts(failures);
    this.slowdown = new AddressSlowdown(failures);
  }

  /** Throws `rate_limited` when every user is locked or too many clients of the address wait. */
  async admit(target: LoginTarget, client: LoginClient): Promise<Admitted> {
    const devices = target.known.map((user) => this.devices.deviceOf(client.device, user));
    const knownUser = target.known.find((_, index) => devices[index] !== null)?.id ?? null;
    const { candidates, attempts } = await this.count(target, devices, client);
    const undo = async () => {
      for (const attempt of attempts) await attempt.undo();
    };
    if (knownUser !== null) return { candidates, knownUser, ofAddress: UNCOUNTED, undo };
    try {
      const ofAddress = await this.ofAddress(client);
      attempts.push(ofAddress);
      return { candidates, knownUser, ofAddress, undo };
    } catch (error) {
      await undo();
      throw error;
    }
  }

  /**
   * Counts an attempt for the address only, and waits. Throws `rate_limited` when too many of its
   * clients wait.
   */
  async ofAddress({ address, signal }: LoginClient): Promise<LoginAttempt> {
    const attempt = await this.slowdown.attempt(address);
    try {
      if (attempt.wait > 0) await this.waiting.sleep(attempt.wait, signal);
      return attempt;
    } catch (error) {
      await attempt.undo();
      throw error;
    }
  }

  /** Counts a password confirmation within a session. Throws `rate_limited`. */
  withinSession({ tenantId, id }: StoredUser): Promise<LoginAttempt> {
    return this.attempts.fromDevice(accountOf(tenantId, id), 'session');
  }

  /** Counts a second factor, whatever ticket or session it came with. Throws `rate_limited`. */
  ofSecondFactor({ tenantId, id }: StoredUser, method: 'code' | 'recoveryCode'): Promise<LoginAttempt> {
    // Not the e-mail: changing it would restart the count.
    const account = accountOf(tenantId, id);
    return method === 'code' ? this.attempts.ofCode(account) : this.attempts.fromDevice(account, 'recovery code');
  }

  async unlock({ id, tenantId, email }: Pick<StoredUser, 'id' | 'tenantId' | 'email'>): Promise<number> {
    const ofEmail = await this.attempts.unlock(accountOf(tenantId, email));
    return ofEmail + (await this.attempts.unlock(accountOf(tenantId, id)));
  }

  private async count({ known, tenant, email }: LoginTarget, devices: (string | null)[], { address }: LoginClient) {
    const withoutTenant = accountOf(null, email);
    if (known.length === 0) {
      const alsoOf = tenant === null ? [] : [withoutTenant];
      return { candidates: [], attempts: [await this.attempts.fromAddress(accountOf(tenant, email), address, alsoOf)] };
    }
    const candidates: LoginCandidate[] = [];
    let refusal: unknown;
    for (const [index, user] of known.entries()) {
      const account = accountOf(user.tenantId, user.email);
      const device = devices[index] ?? null;
      try {
        const { attempts } = this;
        const counted = device === null ? attempts.fromAddress(account, address) : attempts.fromDevice(account, device);
        candidates.push({ user, attempt: await counted });
      } catch (error) {
        refusal = error;
      }
    }
    if (candidates.length === 0) throw refusal;
    // Unknown e-mails lock as early as known ones: otherwise the 429 reveals which exist.
    if (tenant === null) await this.attempts.note(withoutTenant, address);
    return { candidates, attempts: candidates.map(({ attempt }) => attempt) };
  }
}
