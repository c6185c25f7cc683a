import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { LRUCache } from 'lru-cache';
import type { Connection } from '../../core/agents/chat/provider.ts';
import { type NodeAgents, nodeAgentsFor } from '../../outbound/dispatchers.ts';

const MAX_CLIENTS = 100;

/** Module state: an LRU cache for each pair of agents, by connection settings. */
const caches = new WeakMap<NodeAgents, LRUCache<string, BedrockRuntimeClient>>();

/** Cached, since AWS credentials take requests to find. Never destroy it: agents are shared. */
export function bedrockClient(connection: Connection): BedrockRuntimeClient {
  const agents = nodeAgentsFor(connection);
  const cache = caches.get(agents) ?? new LRUCache<string, BedrockRuntimeClient>({ max: MAX_CLIENTS });
  caches.set(agents, cache);
  const key = JSON.stringify([connection.baseUrl, connection.region, connection.apiKey]);
  const client = cache.get(key) ?? makeClient(connection, agents);
  cache.set(key, client);
  return client;
}

function makeClient({ baseUrl, region, apiKey }: Connection, agents: NodeAgents): BedrockRuntimeClient {
  const client = new BedrockRuntimeClient({
    ...(region === null ? {} : { region }),
    ...(baseUrl === null ? {} : { endpoint: baseUrl }),
    // The definition alone decides the address.
    ignoreConfiguredEndpointUrls: true,
    ...(apiKey === null ? {} : { token: { token: apiKey }, authSchemePreference: ['httpBearerAuth'] }),
    maxAttempts: 1,
    retryMode: 'standard',
    requestHandler: new NodeHttpHandler(agents),
  });
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        if (commandName !== 'ConverseStreamCommand') return result;
        const response = result.response as { statusCode: number; body: AsyncIterable<Uint8Array> };
        if (response.statusCode === 200) response.body = frameBytes(response.body);
        return result;
      },
    // Before the SDK's own step, which reads the events.
    { step: 'deserialize', priority: 'low', name: 'frameBytes' },
  );
  return client;
}

/** The headers are signed like the SDK's. */
export function withHeaders<Command extends { middlewareStack: object }>(
  command: Command,
  { headers }: Connection,
): Command {
  if (Object.keys(headers).length === 0) return command;
  const stack = command.middlewareStack as BedrockRuntimeClient['middlewareStack'];
  stack.add(
    (next) => (args) => {
      Object.assign((args.request as { headers: Record<string, string> }).headers, headers);
      return next(args);
    },
    { step: 'build', name: 'ownHeaders' },
  );
  return command;
}

/** Bytes: at least two lengths and two checksums; at most AWS's limit, with headers. */
const MIN_FRAME = 16;
const MAX_FRAME = 17 * 1024 * 1024;
const LENGTH_BYTES = 4;

/** The SDK allocates what a length says: an HTML page costs a gigabyte. Throws a RangeError. */
export async function* frameBytes(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  let lengthBytes = 0;
  let rest = 0;
  for await (const bytes of source) {
    for (let offset = 0; offset < bytes.length; ) {
      if (rest > 0) {
        const skipped = Math.min(rest, bytes.length - offset);
        rest -= skipped;
        offset += skipped;
        continue;
      }
      length = length * 256 + bytes[offset++]!;
      if (++lengthBytes < LENGTH_BYTES) continue;
      if (length < MIN_FRAME || length > MAX_FRAME) {
        throw new RangeError('not a stream of events');
      }
      rest = length - LENGTH_BYTES;
      length = 0;
      lengthBytes = 0;
    }
    yield bytes;
  }
}
