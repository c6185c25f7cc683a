import { type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { realEffects } from '../../core/base/shared/effects.ts';
import { makeErrorBody } from '../errors.ts';

/** Gives requests that Node.js refuses before Express the usual error body and a request id. */
export function answerMalformed(server: Server, listener: RequestListener): void {
  // An unknown Expect header is ignored.
  server.on('checkExpectation', listener);
  const current = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => current.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = current.get(socket);
    const isAnswering = response?.headersSent && !response.writableFinished;
    if (error.code === 'ERR_SSL_HTTP_REQUEST') answerPlainHttp(socket);
    else if (isTlsFault(error)) socket.destroy();
    else if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) socket.destroy(error);
    else socket.end(answerOf(error.code), () => socket.destroy());
  });
}

/** A failed handshake: nothing can be written. */
function isTlsFault({ code = '' }: NodeJS.ErrnoException): boolean {
  return code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_');
}

/** Node.js has no public name for the connection below TLS. */
function answerPlainHttp(socket: Duplex & { _parent?: Duplex }): void {
  if (socket._parent?.writable) socket._parent.end(answerOf('ERR_SSL_HTTP_REQUEST'), () => socket.destroy());
  else socket.destroy();
}

/** Closes the connection, since the start of the next request is unknown. */
function answerOf(code: string | undefined): string {
  const [status, message] = (code && FAULTS[code]) || MALFORMED;
  const requestId = realEffects.newId();
  const body = JSON.stringify(makeErrorBody(status, message, requestId));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'cache-control: no-store',
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

type Fault = readonly [status: number, message: string | string[]];

const MALFORMED: Fault = [400, ['request: is malformed, or ended before its announced length']];

const FAULTS: Record<string, Fault> = {
  ERR_SSL_HTTP_REQUEST: [400, ['request: is HTTP, and this server speaks HTTPS: the address begins with https://']],
  HPE_HEADER_OVERFLOW: [431, 'The address and the headers together exceed 16 KB. Send less of them.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions exceed 16 KB. Send none.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The headers did not come in time. Send them at once.'],
};
