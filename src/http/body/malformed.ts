import { type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { realEffects } from '../../core/shared/effects.ts';
import { makeErrorBody } from '../errors.ts';

/**
 * What is no HTTP, or more of it than is read, never comes to the application: Node.js would answer it with a bare status
 * line. This gives it the body and the id that every other error has.
 */
export function answerMalformed(server: Server, listener: RequestListener): void {
  // An expectation that nobody here knows is no reason not to answer.
  server.on('checkExpectation', listener);
  const current = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => current.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = current.get(socket);
    const isAnswering = response?.headersSent && !response.writableFinished;
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) socket.destroy(error);
    else socket.end(answerOf(error.code), () => socket.destroy());
  });
}

/** The connection is closed with it: where the next request would begin, nobody knows. */
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
  HPE_HEADER_OVERFLOW: [431, 'The address and the headers together exceed 16 KB. Send less of them.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions exceed 16 KB. Send none.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The headers did not come in time. Send them at once.'],
};
