import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import tls from 'node:tls';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { mailSettings } from '../../src/core/watch/deliveries/mail.ts';
import type { SendContext } from '../../src/core/watch/deliveries/message.ts';
import { tlsFile } from '../support/tls.ts';
import { CREATED_AT, ID } from './support.ts';

export const USER = 'alerts';
export const PASSWORD = 'pa55 w/rd%';

export interface Mail {
  from: string;
  to: string[];
  /** As it came, with LF. */
  text: string;
  isEncrypted: boolean;
  user: string | null;
}

/** What an SMTP server refuses with. */
export function reply(responseCode: number, message = 'no'): Error {
  return Object.assign(new Error(message), { responseCode });
}

export interface MailSinkOptions extends SMTPServerOptions {
  /** Whether TLS trusts its certificate until the end of the test; default true. */
  trusted?: boolean;
  /** Once a message has arrived. */
  onMail?: (mail: Mail, count: number) => Error | null;
}

/** A real SMTP server that keeps what it takes. Its certificate is that of the tests. */
export async function startMailServer(
  t: TestContext,
  { onMail = () => null, trusted = true, ...options }: MailSinkOptions = {},
) {
  if (trusted) trustTestCertificate(t);
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    key: readFileSync(tlsFile('first.key')),
    cert: readFileSync(tlsFile('first.pem')),
    onAuth: ({ username, password }, _session, callback) =>
      username === USER && password === PASSWORD
        ? callback(null, { user: username })
        : callback(reply(535, `5.7.8 ${username} ${password} is wrong`)),
    onData: (stream, { envelope, user, secure }, callback) => {
      let text = '';
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      stream.on('end', () => {
        const mail: Mail = {
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          text: text.replaceAll('\r\n', '\n'),
          isEncrypted: secure,
          user: typeof user === 'string' ? user : null,
        };
        mails.push(mail);
        callback(onMail(mail, mails.length));
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(resolve));
  };
  t.after(close);
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, sockets, close };
}

export function settingsFor(port: number, { scheme = 'smtp', login = '' } = {}) {
  const smtpUrl = `${scheme}://${login}127.0.0.1:${port}`;
  return mailSettings({ smtpUrl, smtpFrom: 'Alerts <alerts@example.com>' })!;
}

export const LOGIN = `${USER}:${encodeURIComponent(PASSWORD)}@`;

function trustTestCertificate(t: TestContext): void {
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, readFileSync(tlsFile('first.pem'), 'utf8')]);
  t.after(() => tls.setDefaultCACertificates(before));
}

export function mailContext(signal = new AbortController().signal): SendContext {
  return { tenantId: 'tenant', id: ID, createdAt: CREATED_AT, timestamp: Date.now(), signal };
}
