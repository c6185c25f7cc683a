import type { CallToolResult, McpServer, RegisteredTool } from '@modelcontextprotocol/server';
import { FailedConnectorCall, failedCall } from '../core/agents/connectors/call/faults.ts';
import { advertisedTool, type ExposedResource } from '../core/agents/connectors/exposed.ts';
import { type Caller, hasScope } from '../core/base/shared/caller.ts';
import { invalid } from '../core/base/shared/errors.ts';
import { freeObject } from '../core/base/shared/json.ts';
import { parse } from '../core/base/shared/parse.ts';
import type { Services } from '../core/services.ts';
import { runTool, type ToolWatch } from './calls/run-tool.ts';
import { advertiseJson } from './define.ts';
import { toolError } from './errors.ts';
import { answerResult, errorResult } from './results.ts';

/** Characters of an answer, to protect the model's context. */
const MAX_TEXT = 100_000;
export const CONNECTOR_SCOPES = ['mcp:read', 'connectors:execute'] as const;
const inputSchema = freeObject();

export async function exposedTo(caller: Caller, { connectors }: Services): Promise<readonly ExposedResource[]> {
  if (!CONNECTOR_SCOPES.every((scope) => hasScope(caller, scope))) return [];
  return connectors.exposed(caller);
}

/** Answers are text: external APIs have no reliable schema. */
export function registerConnectorTools(
  server: McpServer,
  exposed: readonly ExposedResource[],
  { caller, services, watch }: { caller: Caller; services: Services; watch: ToolWatch },
): Map<string, RegisteredTool> {
  const registered = new Map<string, RegisteredTool>();
  for (const one of exposed) {
    const { connector, resource } = one;
    const { name, inputSchema: input, ...shown } = advertisedTool(one);
    const tool = server.registerTool(name, { ...shown, inputSchema: advertiseJson(input) }, (data, request) =>
      // One name for all in the metrics: tenants' names are unbounded labels.
      runTool(
        'connector',
        CONNECTOR_SCOPES,
        { caller, signal: request.mcpReq.signal, watch },
        async (signal) => {
          const call = { connector, resource, data: one.dataOf(parse(inputSchema, data ?? {})) };
          const executed = await services.connectorExecution.execute(caller, call, signal);
          return answerResult({ text: shortened(JSON.stringify(executed)) });
        },
        failed,
      ),
    );
    registered.set(name, tool);
  }
  return registered;
}

function failed(error: unknown, watch: ToolWatch): CallToolResult {
  if (!(error instanceof FailedConnectorCall)) return toolError(error, 'connector', watch.log);
  if (error.code === 'invalid') return toolError(invalid(...error.messages.map(asArgument)), 'connector', watch.log);
  return errorResult(shortened(JSON.stringify(failedCall(error, error.message))));
}

/** The tool's arguments are the `data` of the call. */
function asArgument(message: string): string {
  return message.replace(/^data\./, '');
}

function shortened(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT).toWellFormed()}\n[cut: ${text.length - MAX_TEXT} more characters; ask for less]`;
}
