import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import type { Cleanups } from './cleanups.ts';

/**
 * A loopback proxy that adds the API key, which the official suite cannot send. It forwards
 * everything else unchanged: Host and Origin, which the suite tests, and streams chunk by chunk.
 * Returns its address.
 */
export async function startKeyProxy(cleanups: Cleanups, target: string, key: string): Promise<string> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, reply) => {
    const { method, url: path, rawHeaders } = incoming;
    const outgoing = request({ hostname, port, method, path, headers: [...rawHeaders, 'x-api-key', key] });
    outgoing.on('response', (answer) => {
      reply.sendDate = false;
      reply.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
      reply.flushHeaders();
      pipeline(answer, reply, () => undefined);
    });
    outgoing.on('error', () => reply.destroy());
    // A client that disconnects cancels its request; the server must notice.
    reply.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  cleanups.after(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
