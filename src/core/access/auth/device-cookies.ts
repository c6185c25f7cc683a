import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretKey } from '../../base/sealing/secret-key.ts';
import type { StoredUser } from '../users/store.ts';

/** A new password or a deactivation changes the session version, which voids the mark. */
type MarkOwner = Pick<StoredUser, 'id' | 'tenantId' | 'sessionVersion'>;

/** The longest lifetime that browsers allow. */
export const DEVICE_COOKIE_SECONDS = 400 * 86_400;
const MAX_MARKS = 5;
const MAX_LENGTH = 2_000;
const DEVICE_BYTES = 16;

const MARK = /^([0-9a-f-]{36})\.([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;

interface Mark {
  text: string;
  userId: string;
  device: string;
  /** Epoch seconds. */
  issuedAt: string;
  mac: string;
}

interface DeviceCookieParts {
  secretKey: SecretKey;
  now: () => number;
}

/** One signed mark per user proves an earlier login from this browser. It gives no access. */
export class DeviceCookies {
  private readonly parts: DeviceCookieParts;

  constructor(parts: DeviceCookieParts) {
    this.parts = parts;
  }

  deviceOf(cookie: string | undefined, user: MarkOwner): string | null {
    return marksOf(cookie).find((mark) => this.isValid(mark, user))?.device ?? null;
  }

  issue(cookie: string | undefined, user: MarkOwner): string {
    const device = this.deviceOf(cookie, user) ?? randomBytes(DEVICE_BYTES).toString('base64url');
    const issuedAt = String(Math.floor(this.parts.now() / 1_000));
    const mark = `${user.id}.${device}.${issuedAt}.${this.mac(user, device, issuedAt).toString('base64url')}`;
    const others = marksOf(cookie).filter(({ userId }) => userId !== user.id);
    return [mark, ...others.map(({ text }) => text)].slice(0, MAX_MARKS).join('~');
  }

  private isValid({ userId, device, issuedAt, mac }: Mark, user: MarkOwner): boolean {
    if (userId !== user.id) return false;
    if (this.parts.now() / 1_000 - Number(issuedAt) > DEVICE_COOKIE_SECONDS) return false;
    return timingSafeEqual(Buffer.from(mac, 'base64url'), this.mac(user, device, issuedAt));
  }

  private mac({ id, tenantId, sessionVersion }: MarkOwner, device: string, issuedAt: string): Buffer {
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
