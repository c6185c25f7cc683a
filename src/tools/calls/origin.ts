import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { type ClientInfo, traceIdOf } from '../../core/base/network/trace.ts';

/** Where a call comes from, as far as its client says: nothing of it is checked. */
export interface CallOrigin {
  client?: string | undefined;
  clientVersion?: string | undefined;
  /** The revision of the protocol. */
  protocol?: string | undefined;
  /** From `_meta.traceparent` (SEP-414). */
  traceId?: string | undefined;
}

const MAX_LENGTH = 100;

export function originOf({ server }: McpServer, { mcpReq, http }: ServerContext): CallOrigin {
  const remembered = http?.authInfo?.extra?.client as ClientInfo | undefined;
  const { name, version } = server.getClientVersion() ?? remembered ?? {};
  const protocol = server.getNegotiatedProtocolVersion() ?? http?.req?.headers.get('mcp-protocol-version');
  return {
    client: short(name),
    clientVersion: short(version),
    protocol: short(protocol),
    traceId: traceIdOf(mcpReq._meta),
  };
}

function short(text: unknown): string | undefined {
  return typeof text === 'string' && text !== '' ? text.slice(0, MAX_LENGTH).toWellFormed() : undefined;
}
