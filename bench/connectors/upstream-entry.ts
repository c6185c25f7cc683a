import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/* The API of the connectors bench: answers each request at once, with a kilobyte of JSON. */

const pets = Array.from({ length: 10 }, (_, id) => ({
  id,
  name: `pet ${id}`,
  tags: ['a', 'b'],
  photo: 'x'.repeat(40),
}));
const body = JSON.stringify({ pets, next: null });
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, headers).end(body));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit(0));
