import { copyFileSync, readFileSync } from 'node:fs';
import { type Agent, request } from 'node:https';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryDirectory } from './app.ts';

const DIRECTORY = join(import.meta.dirname, 'tls');

export const tlsFile = (name: string) => join(DIRECTORY, name);

/** Copies of a pair that a test may replace. */
export function copiedPair(t: TestContext, name: 'first' | 'second' = 'first') {
  const directory = temporaryDirectory(t);
  const files = { tlsCertificate: join(directory, 'cert.pem'), tlsKey: join(directory, 'key.pem') };
  const replace = (other: 'first' | 'second') => {
    copyFileSync(tlsFile(`${other}.pem`), files.tlsCertificate);
    copyFileSync(tlsFile(`${other}.key`), files.tlsKey);
  };
  replace(name);
  return { ...files, replace };
}

export interface SecureAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** The common name of the certificate. */
  certificate: string;
}

interface SecureRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  agent?: Agent | false;
}

/** Trusts the certificates of the tests. A new connection unless an agent is given. */
export function secureRequest(
  url: string,
  { method = 'GET', headers = {}, body, agent = false }: SecureRequest = {},
): Promise<SecureAnswer> {
  const ca = ['first.pem', 'second.pem'].map((name) => readFileSync(tlsFile(name)));
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, ca, agent }, (response) => {
      const { subject } = (response.socket as import('node:tls').TLSSocket).getPeerCertificate();
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text,
          certificate: String(subject.CN),
        });
      });
    });
    sent.on('error', reject).end(body);
  });
}
