import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretKey } from '../sealing/secret-key.ts';
import type { StoredUser } from '../users/store.ts';

/** What a mark is bound to. A new password, or being deactivated, gives a user another session version. */
type Owner = Pick<StoredUser, 'id' | 'tenantId' | 'sessionVersion'>;

/** The longest that browsers keep a cookie. */
export const DEVICE_COOKIE_SECONDS = 400 * 86_400;
/** Users of one browser whose logins it remembers; of more, the one who logged in longest ago is forgotten. */
const MAX_MARKS = 5;
const MAX_LENGTH = 2_000;
const DEVICE_BYTES = 16;

const MARK = /^([0-9a-f-]{36})\.([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;

interface Mark {
  text: string;
  userId: string;
  /** 128 random bits that name the device. */
  device: string;
  /** Epoch seconds. */
  issuedAt: string;
  mac: string;
}

export interface DeviceCookieParts {
  secretKey: SecretKey;
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * Device cookies: marks of the users who have logged in with a browser before, `<user id>.<device>.<issued at>.<MAC>`,
 * the newest first, with `~` between them. A mark gives no access. It shows that an attempt does not come from a
 * stranger, who may neither forge one nor use it for another user.
 */
export class DeviceCookies {
  private readonly parts: DeviceCookieParts;

  constructor(parts: DeviceCookieParts) {
    this.parts = parts;
  }

  /** The device that the cookie names for this user; null when it has no valid mark of theirs. */
  deviceOf(cookie: string | undefined, user: Owner): string | null {
    return marksOf(cookie).find((mark) => this.isValid(mark, user))?.device ?? null;
  }

  /** A cookie with a new mark of this user, and the marks of other users that the one until now has. */
  issue(cookie: string | undefined, user: Owner): string {
    const device = this.deviceOf(cookie, user) ?? randomBytes(DEVICE_BYTES).toString('base64url');
    const issuedAt = String(Math.floor(this.parts.now() / 1_000));
    const mark = `${user.id}.${device}.${issuedAt}.${this.mac(user, device, issuedAt).toString('base64url')}`;
    const others = marksOf(cookie).filter(({ userId }) => userId !== user.id);
    return [mark, ...others.map(({ text }) => text)].slice(0, MAX_MARKS).join('~');
  }

  private isValid({ userId, device, issuedAt, mac }: Mark, user: Owner): boolean {
    if (userId !== user.id) return false;
    if (this.parts.now() / 1_000 - Number(issuedAt) > DEVICE_COOKIE_SECONDS) return false;
    return timingSafeEqual(Buffer.from(mac, 'base64url'), this.mac(user, device, issuedAt));
  }

  private mac({ id, tenantId, sessionVersion }: Owner, device: string, issuedAt: string): Buffer {
    const bound = JSON.stringify([tenantId, id, sessionVersion, device, issuedAt]);
    return createHmac('sha256', this.parts.secretKey.keyFor('device cookies')).update(bound).digest();
  }
}

function marksOf(cookie = ''): Mark[] {
  if (cookie.length > MAX_LENGTH) return [];
  return cookie.split('~').flatMap((text) => {
    const [, userId, device, issuedAt, mac] = MARK.exec(text) ?? [];
    return userId && device && issuedAt && mac ? [{ text, userId, device, issuedAt, mac }] : [];
  });
}
