import { EventSourceParserStream } from 'eventsource-parser/stream';
import { VENDORS, type Vendor } from '../../src/core/agents/chat/capabilities.ts';
import type { ChatMessage } from '../../src/core/agents/chat/message.ts';
import type { ChatUsage, ToolCall } from '../../src/core/agents/chat/provider.ts';
import type { FunctionTool } from '../../src/core/agents/chat/schema.ts';

const CHAT = '/api/v1/runtime/v1/chat/stream';
const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';

export interface Said {
  text: string;
  reasoning: string;
  calls: ToolCall[];
  usage: ChatUsage;
  /** US dollars; null where the price is not known. */
  cost: number | null;
}

export interface Asked {
  instructions: string;
  messages: ChatMessage[];
  tools: FunctionTool[];
}

export type Chat = (asked: Asked) => Promise<Said>;

/** `provider/model`, where the provider is a vendor or the name of a definition. */
export function readModel(model: string): { provider: Vendor; providerName?: string; model: string } | null {
  const [, provider = '', name = ''] = /^([^/]+)\/(.+)$/.exec(model) ?? [];
  if (name === '') return null;
  const vendor = VENDORS.find((one) => one === provider && one !== 'custom');
  return vendor ? { provider: vendor, model: name } : { provider: 'custom', providerName: provider, model: name };
}

/** A chat of the server at that address, as any client has it. Throws what the server answers. */
export async function openChat({ url, key, model }: { url: string; key: string; model: string }): Promise<Chat> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', accept: 'text/event-stream' };
  return async (asked) => {
    const body = JSON.stringify({ projectId: 'eval', ...readModel(model), ...asked });
    const response = await fetch(`${url}${CHAT}`, { method: 'POST', headers, body });
    if (!response.ok || !response.body) throw new Error(`${response.status}: ${await response.text()}`);
    const said: Said = { text: '', reasoning: '', calls: [], usage: { inputTokens: 0, outputTokens: 0 }, cost: null };
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { event, data } of events) {
      const value = JSON.parse(data);
      if (event === 'text' || event === 'reasoning') said[event] += value.text;
      else if (event === 'tool_call') said.calls.push(value);
      else if (event === 'usage') said.usage = value;
      else if (event === 'error') throw new Error(`${value.statusCode}: ${value.message}`);
    }
    const recorded = await fetch(`${url}${EXECUTIONS}/${response.headers.get('x-execution-id')}`, { headers });
    said.cost = ((await recorded.json()) as { cost: number | null }).cost;
    return said;
  };
}
