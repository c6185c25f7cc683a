import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A server with the API of OpenAI's embeddings that answers what it is to hold only once it is let. */
export async function heldEmbedder(t: TestContext, holds: (texts: string[]) => boolean = () => true) {
  const letGo = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { input } = JSON.parse(Buffer.concat(parts).toString()) as { input: string[] };
    if (holds(input)) await letGo.promise;
    const embedding = Buffer.from(Float32Array.of(1, 0).buffer).toString('base64');
    const data = input.map((_, index) => ({ object: 'embedding', index, embedding }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ object: 'list', data, model: 'held' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    letGo.resolve();
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, letGo: () => letGo.resolve() };
}
