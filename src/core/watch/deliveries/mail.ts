import { z } from 'zod';
import type { UserStore } from '../../access/users/store.ts';
import { domainOf, percentDecoded } from '../../base/shared/text.ts';
import type { SendOutcome } from './message.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

export interface MailServer {
  host: string;
  port: number;
  /** TLS from the first byte (smtps); else STARTTLS where the server offers it. */
  isTls: boolean;
  /** Without STARTTLS nothing is sent. */
  mustStartTls: boolean;
  login: { user: string; password: string } | null;
}

export interface Mailbox {
  name: string;
  address: string;
}

export interface MailSettings {
  server: MailServer;
  from: Mailbox;
}

/** Null without a mail server. */
export function mailSettings({
  smtpUrl,
  smtpFrom,
}: {
  smtpUrl?: string | undefined;
  smtpFrom?: string | undefined;
}): MailSettings | null {
  const from = smtpFrom === undefined ? null : parseMailbox(smtpFrom);
  return smtpUrl === undefined || from === null ? null : { server: parseMailServer(smtpUrl), from };
}

/** The problem of a mail server's URL; null if it has none. Never repeats the URL. */
export function mailServerProblem(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    return 'It must look like smtp://user:password@mail.example.com:587 or smtps://mail.example.com.';
  }
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') {
    return 'It must have no path, no query and no fragment.';
  }
  if ((url.username === '') !== (url.password === '')) return 'It must have both a user and a password, or neither.';
  return percentDecoded(url.username) === null || percentDecoded(url.password) === null
    ? 'In user and password, % must be written as %25, and other special characters in the same way.'
    : null;
}

/** Parses a URL without problems. */
function parseMailServer(text: string): MailServer {
  const url = new URL(text);
  const isTls = url.protocol === 'smtps:';
  const user = percentDecoded(url.username) ?? '';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    isTls,
    // A password is not sent in the clear, but for a relay on this machine.
    mustStartTls: !isTls && user !== '' && !LOOPBACK.test(url.hostname),
    login: user === '' ? null : { user, password: percentDecoded(url.password) ?? '' },
  };
}

const NAMED = /^\s*"?([^"<>\r\n]*?)"?\s*<([^<>\s]+)>\s*$/;

/** `alerts@example.com` or `Alerts <alerts@example.com>`; null for anything else. */
export function parseMailbox(text: string): Mailbox | null {
  const [, name = '', named] = NAMED.exec(text) ?? [];
  const address = (named ?? text).trim();
  return z.email().safeParse(address).success ? { name, address } : null;
}

export interface RecipientParts {
  users: Pick<UserStore, 'findByEmail'>;
  /** In lower case; `*` is any. */
  domains: readonly string[];
}

/**
 * Who may be sent e-mails: the active users of the tenant, and every address in a domain that the
 * operator allows. A deactivated user is sent none, whatever the domain.
 */
export class Recipients {
  private readonly parts: RecipientParts;

  constructor(parts: RecipientParts) {
    this.parts = parts;
  }

  /** The addresses that may not be written to. */
  async refused(tenantId: string, addresses: readonly string[]): Promise<string[]> {
    const refused: string[] = [];
    for (const address of addresses) if (!(await this.isAllowed(tenantId, address))) refused.push(address);
    return refused;
  }

  private async isAllowed(tenantId: string, address: string): Promise<boolean> {
    const { users, domains } = this.parts;
    const [user] = await users.findByEmail(address, tenantId);
    if (user) return user.isActive;
    return domains.includes('*') || domains.includes(domainOf(address));
  }
}

export const WHO_MAY =
  'the active users of the tenant may be written to, and the domains that the operator allows (AGENT_RUNTIME_MAIL_DOMAINS)';

/** After so many attempts in a row that the mail server did not answer in time. */
const TIMEOUTS = 3;
const PAUSE_MS = 60_000;

/**
 * Circuit breaker of the mail server, which all tenants share: messages wait, and lose no attempts
 * to one that hangs.
 */
export class MailPause {
  private timeouts = 0;
  private until = Number.NEGATIVE_INFINITY;

  note(outcome: SendOutcome, now: number): void {
    this.timeouts = outcome.kind === 'retry' && outcome.timedOut ? this.timeouts + 1 : 0;
    if (this.timeouts >= TIMEOUTS) this.until = now + PAUSE_MS;
  }

  /**
   * Milliseconds until e-mails may be sent again; a clock that was set back does not prolong them.
   */
  left(now: number): number {
    const left = this.until - now;
    return left > PAUSE_MS ? 0 : Math.max(0, left);
  }
}
