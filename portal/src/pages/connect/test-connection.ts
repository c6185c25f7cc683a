import { t } from '../../language/index.ts';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Lists the tools of the MCP endpoint, as a client does. Throws an Error with the reason of a failure. */
export async function listTools(url: string, key: string): Promise<string[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...HEADERS, 'x-api-key': key },
    credentials: 'omit',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  const message = messageIn(await response.text());
  const tools = message?.result?.tools;
  if (response.ok && tools) return tools.map(({ name }) => name);
  throw new Error(
    message?.error?.message ?? message?.message ?? t('The server answered {status}.', { status: response.status }),
  );
}

interface Message {
  result?: { tools?: { name: string }[] };
  error?: { message: string };
  /** The message of an error that is not MCP's. */
  message?: string;
}

/** The value of a JSON body, or of the last event of an event stream. */
export function messageIn(text: string): Message | null {
  const data = /^data: ?(.+)$/m.exec(text)?.[1] ?? text;
  try {
    return JSON.parse(data) as Message;
  } catch {
    return null;
  }
}
