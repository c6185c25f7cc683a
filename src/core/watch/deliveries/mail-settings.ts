import { z } from 'zod';
import { percentDecoded } from '../../base/shared/text.ts';

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

/** Null: there is no mail server. */
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

/** What is wrong with it; null: nothing. Never repeats it. */
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

/** Of a URL without problems. */
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
