import {
  type CallToolResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type RegisteredTool,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Caller, hasScope } from '../core/shared/caller.ts';
import { listNames, suggestion } from '../core/shared/names.ts';
import type { Tool } from './define.ts';
import { runTool, type ToolWatch } from './run-tool.ts';

interface Offer {
  caller: Caller;
  offered: readonly Tool[];
  watch: ToolWatch;
}

export function mayUse(caller: Caller, { scopes }: Tool): boolean {
  return scopes.every((scope) => hasScope(caller, scope));
}

/**
 * Replaces the library's handler, which says of every tool that is not listed that it is not found: a tool that the key may
 * not use is refused with the scope that it needs, and an unknown name gets those that there are.
 */
export function answerToolCalls(server: McpServer, listed: ReadonlyMap<string, RegisteredTool>, offer: Offer): void {
  const protocol = server.server;
  protocol.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = listed.get(params.name);
    if (!tool) return refuse(params.name, [...listed.keys()], offer, context.mcpReq.signal);
    const call = tool.handler as (input: unknown, context: ServerContext) => Promise<CallToolResult>;
    return protocol.projectCallToolResult(await call(params.arguments ?? {}, context), tool.outputSchemaJson);
  });
}

async function refuse(name: string, listed: string[], { caller, offered, watch }: Offer, signal: AbortSignal) {
  const tool = offered.find((one) => one.name === name);
  // Throws for the missing scope.
  if (tool) return runTool(name, tool.scopes, { caller, signal, watch }, async () => ({ content: [] }));
  const advice = listed.length > 0 ? `; the tools are ${listNames(listed, 20)}` : '';
  const unknown = `There is no tool ${JSON.stringify(name.slice(0, 100))}`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${unknown}${suggestion(name, listed, advice)}`);
}
