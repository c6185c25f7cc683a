import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import type { Log } from '../../logging/log.ts';

/** In a file of its own: the MCP library is large, and loaded with the first request. */
export function mcpHandler(factory: McpServerFactory, log: Log) {
  const handler = createMcpHandler(factory, { onerror: (error) => log.debug({ err: error }, 'mcp') });
  return toNodeHandler(handler, { onerror: (error) => log.error({ err: error }, 'mcp') });
}
