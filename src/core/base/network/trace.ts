import { isObject } from '../json-schema/values.ts';

/** The name and version that an MCP client gives itself. */
export interface ClientInfo {
  name?: unknown;
  version?: unknown;
}

const MAX_LENGTH = 100;

/** The format is that of W3C Trace Context. Only versions after 00 may have more parts. */
const TRACEPARENT =
  /^(?:00(?=.{53}$)|(?!00|ff)[0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/** The trace id in the `_meta` of a request; undefined without a valid one. */
export function traceIdOf(meta: unknown): string | undefined {
  const { traceparent } = isObject(meta) ? meta : {};
  if (typeof traceparent !== 'string' || traceparent.length > MAX_LENGTH) return undefined;
  return TRACEPARENT.exec(traceparent)?.[1];
}
