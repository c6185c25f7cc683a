import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';

/* The minimum cost of a proxy between client and provider: passes bytes on with undici, unread. */

const upstream = process.argv[2]!;
const dispatcher = new Agent({ keepAliveTimeout: 30_000 });

const server = createServer(async (incoming, response) => {
  const { statusCode, headers, body } = await request(`${upstream}/chat/completions`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': incoming.headers['content-length'] },
    body: incoming,
  });
  response.writeHead(statusCode, { 'content-type': String(headers['content-type']) });
  body.pipe(response);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit(0));
