import { Agent, type IncomingHttpHeaders, request as open } from 'node:http';
import type { FuzzedRequest } from './requests.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** It ended as HTTP has it. */
  complete: boolean;
}

/** Longer than any answer takes: logins of an address that failed often wait ten seconds. */
const ANSWER_MS = 20_000;

const kept = new Agent({ keepAlive: true });

/** Sends a request just as it is. Rejects where no answer comes; `closed`: the connection was closed without one. */
export function send(url: string, request: FuzzedRequest): Promise<Answer | 'closed'> {
  const { method, target, headers, body, framing } = request;
  const { hostname, port } = new URL(url);
  const isCut = framing.endsWith('-cut');
  return new Promise((resolve, reject) => {
    const outgoing = open({
      ...{ hostname, port, method, path: target },
      headers: { ...headers, ...lengthOf(request) },
      // What is left on a connection of that kind would be taken for the next request.
      agent: framing === 'length' ? kept : false,
    });
    const timer = setTimeout(() => {
      reject(new Error(`no answer within ${ANSWER_MS} ms`));
      outgoing.destroy();
    }, ANSWER_MS);
    outgoing.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).on('error', () => undefined);
      response.on('close', () => {
        clearTimeout(timer);
        const { statusCode = 0, complete } = response;
        resolve({ status: statusCode, headers: response.headers, body: Buffer.concat(parts), complete });
      });
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      // A server may close a connection that it kept just when it is used again.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET') send(url, request).then(resolve, reject);
      else if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve('closed');
      else reject(error);
    });
    if (!isCut) outgoing.end(body);
    else outgoing.write(body!, () => outgoing.socket?.end());
  });
}

function lengthOf({ body, framing }: FuzzedRequest): Record<string, string> {
  if (body === undefined) return {};
  switch (framing) {
    case 'length':
      return { 'content-length': String(body.length) };
    case 'length-cut':
      return { 'content-length': String(body.length + 10) };
    case 'length-short':
      return { 'content-length': String(Math.floor(body.length / 2)) };
    default:
      return { 'transfer-encoding': 'chunked' };
  }
}

/** What shows the same to a person; what breaks off cannot be shown so. */
export function curlOf(url: string, request: FuzzedRequest): string {
  const { method, target, headers, body, framing } = request;
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = [`curl -i --path-as-is -X ${method} ${quoted(`${url}${target}`)}`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  const remark = framing === 'length' ? '' : `   # sent with the framing ${framing}`;
  if (body === undefined) return `${parts.join(' ')}${remark}`;
  const isPlain = /^[\x20-\x7e\n]*$/.test(body.toString('latin1'));
  if (isPlain) return `${parts.join(' ')} --data-binary ${quoted(body.toString())}${remark}`;
  return `echo ${body.toString('base64')} | base64 -d | ${parts.join(' ')} --data-binary @-${remark}`;
}
