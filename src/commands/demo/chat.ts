import type { Runtime } from '../../app/runtime.ts';
import type { Vendor } from '../../core/agents/chat/capabilities.ts';
import { startEcho } from '../../demo/echo.ts';
import { wrapped } from './width.ts';

const CHAT = '/api/v1/runtime/v1/chat/stream';
const QUESTION = 'How was last week at the support desk?';

/** For the printed example only. */
const MODELS: Record<Exclude<Vendor, 'custom'>, string> = {
  openai: 'gpt-5.1',
  anthropic: 'claude-sonnet-4-5',
  bedrock: 'amazon.nova-lite-v1:0',
  groq: 'llama-3.3-70b-versatile',
  gemini: 'gemini-2.5-flash',
  xai: 'grok-4',
};

/** For a real provider it only prints the command, since models cost money. */
export async function showChat(
  { providers, tenants }: Runtime,
  { url, key }: { url: string; key: string },
  write: (text: string) => void,
): Promise<void> {
  const [provider] = providers.available();
  if (provider !== undefined && provider !== 'custom') {
    const body = bodyOf({ provider, model: MODELS[provider] });
    write(wrapped(`\nChats go to ${provider}, whose key the environment has. To try one:\n\n`));
    write(`${command(url, key, body)}\n`);
    return;
  }
  const { id } = await tenants.get('default');
  const definition = { name: 'echo', provider: 'custom', baseUrl: await startEcho(), allowPrivateNetwork: true };
  await providers.apply(id, definition);
  const body = bodyOf({ provider: 'custom', providerName: 'echo', model: 'echo' });
  write(
    wrapped('\nA chat. No provider is configured (OPENAI_API_KEY and the like), so no model answers, but an echo:\n\n'),
  );
  write(`  > ${QUESTION}\n  `);
  const response = await fetch(`${url}${CHAT}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok || !response.body) throw new Error(`${CHAT} answered ${response.status}: ${await response.text()}`);
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) write(text);
  write(`\n\n  recorded as execution ${response.headers.get('x-execution-id')}\n`);
}

function bodyOf(provider: object) {
  return { projectId: 'demo', ...provider, messages: [{ role: 'user', content: QUESTION }] };
}

function command(url: string, key: string, body: object): string {
  return `  curl -N ${url}${CHAT} \\\n    -H "x-api-key: ${key}" -H "content-type: application/json" \\\n    -d '${JSON.stringify(body)}'\n`;
}
