import type { Runtime } from '../../app/runtime.ts';
import type { Vendor } from '../../core/agents/chat/capabilities.ts';
import { startEcho } from '../../demo/echo.ts';

const NARROWEST = 40;
/** Without a terminal. */
const DEFAULT = 120;

/** Columns of the terminal. */
export function terminalWidth(): number {
  return Math.max(process.stdout.columns ?? DEFAULT, NARROWEST);
}

/** Breaks lines between words; what is broken off has the indent of its line. */
export function wrapped(text: string, width = terminalWidth()): string {
  return text
    .split('\n')
    .map((line) => wrappedLine(line, width))
    .join('\n');
}

function wrappedLine(line: string, width: number): string {
  if (line.length <= width) return line;
  const [indent = ''] = /^ */.exec(line) ?? [];
  const lines: string[] = [];
  let current = '';
  for (const word of line.trim().split(' ')) {
    const longer = current === '' ? indent + word : `${current} ${word}`;
    if (current !== '' && longer.length > width) {
      lines.push(current);
      current = indent + word;
    } else {
      current = longer;
    }
  }
  return [...lines, current].join('\n');
}

/** Lines of a table. Where one is too wide, all lose their bars. */
export function fitted(lines: string[], width = terminalWidth()): string[] {
  if (lines.every((line) => line.length <= width)) return lines;
  return lines.map((line) => line.replace(/ +█+$/, ''));
}

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
