import {
  type CallToolResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type RegisteredTool,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Caller, hasScope, type Scope } from '../../core/base/shared/caller.ts';
import { listNames, suggestion } from '../../core/base/shared/names.ts';
import type { Services } from '../../core/services.ts';
import { CONNECTOR_SCOPES } from '../connector-tools.ts';
import type { ToolDefinition } from '../define.ts';
import { runTool, type ToolWatch } from './run-tool.ts';

interface Offer {
  caller: Caller;
  services: Services;
  offered: readonly ToolDefinition[];
  watch: ToolWatch;
}

export function mayUse(caller: Caller, { scopes }: ToolDefinition): boolean {
  return scopes.every((scope) => hasScope(caller, scope));
}

/**
 * Replaces the library's handler, which says of every tool that is not listed that it is not found:
 * a tool that the key may not use is refused with the scope that it needs, and an unknown name gets
 * those that there are.
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

async function refuse(name: string, listed: string[], offer: Offer, signal: AbortSignal) {
  const { caller, watch } = offer;
  const scopes = await scopesOf(name, offer);
  if (scopes) {
    const label = offer.offered.some((tool) => tool.name === name) ? name : 'connector';
    return runTool(label, scopes, { caller, signal, watch }, () => {
      throw new Error(`the tool ${name} may be used, but is not listed`);
    });
  }
  const advice = listed.length > 0 ? `; the tools are ${listNames(listed, 20)}` : '';
  const unknown = `There is no tool ${JSON.stringify(name.slice(0, 100))}`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${unknown}${suggestion(name, listed, advice)}`);
}

/** Scopes of a tool, listed for the caller or not; null for an unknown name. */
export async function scopesOf(
  name: string,
  { caller, services, offered }: Omit<Offer, 'watch'>,
): Promise<readonly Scope[] | null> {
  const tool = offered.find((one) => one.name === name);
  if (tool) return tool.scopes;
  const exposed = await services.connectors.exposed(caller);
  return exposed.some(({ toolName }) => toolName === name) ? CONNECTOR_SCOPES : null;
}
