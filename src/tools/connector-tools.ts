import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { FailedConnectorCall, failedCall } from '../core/connectors/call/failure.ts';
import type { ExposedResource } from '../core/connectors/exposed.ts';
import type { Services } from '../core/services.ts';
import { type Caller, hasScope } from '../core/shared/caller.ts';
import { invalid } from '../core/shared/errors.ts';
import { freeObject } from '../core/shared/json.ts';
import { parse } from '../core/shared/parse.ts';
import { advertiseJson } from './define.ts';
import { toolError } from './errors.ts';
import { runTool, type ToolWatch } from './run.ts';

/** Characters of an answer that a model is given: what is longer would push everything else out of its sight. */
const MAX_TEXT = 100_000;
const SCOPES = ['mcp:read', 'connectors:execute'] as const;
const inputSchema = freeObject();

/** The resources that the tenant's connectors expose to the caller. */
export async function exposedTo(caller: Caller, { connectors }: Services): Promise<readonly ExposedResource[]> {
  if (!SCOPES.every((scope) => hasScope(caller, scope))) return [];
  return connectors.exposed(caller.tenantId);
}

/** Offers each as a tool of its own. Its answer is text alone: what an outside API answers has no schema that could be relied on. */
export function registerConnectorTools(
  server: McpServer,
  exposed: readonly ExposedResource[],
  { caller, services, watch }: { caller: Caller; services: Services; watch: ToolWatch },
): void {
  for (const { toolName, title, description, input, readOnly, destructive, idempotent, ...called } of exposed) {
    server.registerTool(
      toolName,
      {
        title,
        description,
        inputSchema: advertiseJson(input),
        annotations: {
          readOnlyHint: readOnly,
          destructiveHint: destructive,
          idempotentHint: idempotent,
          openWorldHint: true,
        },
      },
      (data, request) =>
        // One name for all of them: those of tenants are no labels of metrics.
        runTool(
          'connector',
          SCOPES,
          { caller, signal: request.mcpReq.signal, watch },
          async (signal) => {
            const call = { ...called, data: parse(inputSchema, data ?? {}) };
            const executed = await services.connectorExecution.execute(caller, call, signal);
            return { content: [{ type: 'text', text: shortened(JSON.stringify(executed)) }] };
          },
          failed,
        ),
    );
  }
}

/** A failure as the model reads it: with what the API answered, and whether calling again is safe. */
function failed(error: unknown, watch: ToolWatch): CallToolResult {
  if (!(error instanceof FailedConnectorCall)) return toolError(error, 'connector', watch.log);
  if (error.code === 'invalid') return toolError(invalid(...error.messages.map(asArgument)), 'connector', watch.log);
  const text = JSON.stringify(failedCall(error, error.message));
  return { isError: true, content: [{ type: 'text', text: shortened(text) }] };
}

/** A tool's arguments are what a call has as `data`. */
function asArgument(message: string): string {
  return message.replace(/^data\./, '');
}

function shortened(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT).toWellFormed()}\n[cut: ${text.length - MAX_TEXT} more characters; ask for less]`;
}
