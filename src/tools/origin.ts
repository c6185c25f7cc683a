import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { isObject } from '../core/base/json-schema/values.ts';

/** Where a call comes from, as far as its client says: nothing of it is checked. */
export interface CallOrigin {
  client?: string | undefined;
  clientVersion?: string | undefined;
  /** The revision of the protocol. */
  protocol?: string | undefined;
  /** From `_meta.traceparent` (SEP-414). */
  traceId?: string | undefined;
}

/** The name and version of a client. */
export interface ClientInfo {
  name?: unknown;
  version?: unknown;
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

/** Of W3C Trace Context. Only versions after 00 may have more parts. */
const TRACEPARENT =
  /^(?:00(?=.{53}$)|(?!00|ff)[0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/** The trace id in the `_meta` of a request; undefined without a valid one. */
export function traceIdOf(meta: unknown): string | undefined {
  const { traceparent } = isObject(meta) ? meta : {};
  if (typeof traceparent !== 'string' || traceparent.length > MAX_LENGTH) return undefined;
  return TRACEPARENT.exec(traceparent)?.[1];
}
