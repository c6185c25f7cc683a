import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface Sent {
  headers?: OutgoingHttpHeaders;
  body?: string;
  agent?: Agent;
}

/** Sends exactly these headers, also those that `fetch` forbids; an array is sent as several lines. */
export function rawRequest(url: string, method: string, path: string, sent: Sent = {}): Promise<RawAnswer> {
  const { headers = {}, body = '', agent = false } = sent;
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers, agent }, async (response) => {
      const text = (await response.toArray()).join('');
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    outgoing.on('error', reject).end(body);
  });
}
