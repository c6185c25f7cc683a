import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../served.ts';

/** Real prose: the sentences of this project's own pages. */
function readSentences(): string[] {
  const docs = join(ROOT, 'docs');
  const files = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const text = [...files.map((name) => join(docs, name)), join(ROOT, 'CHANGELOG.md')]
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  return text
    .replaceAll(/[`*#|]/g, '')
    .split(/(?<=[.!?])\s+/)
    .filter(({ length }) => length > 40 && length < 300);
}

const sentences = readSentences();

export interface Random {
  below(limit: number): number;
  of<Item>(items: readonly Item[]): Item;
}

function prose(random: Random, characters: number): string {
  let text = '';
  while (text.length < characters) text += `${random.of(sentences)} `;
  return text.trim();
}

export const AGENTS = ['support', 'sales', 'billing', 'research', 'triage'];
const MODELS = ['gpt-5', 'gpt-5-mini', 'claude-sonnet-4-5', 'gemini-2.5-flash'];

/** The system prompts of the agents, as in a deployment: each agent has its own. */
const prompts = new Map<string, string>();

function promptOf(random: Random, agentId: string): string {
  const prompt = prompts.get(agentId) ?? prose(random, 700);
  prompts.set(agentId, prompt);
  return prompt;
}

/** A request of some 4 KB: a question, a tool call with its rows, an answer. */
export function someRequest(random: Random, number: number, startedAt: number) {
  const agentId = random.of(AGENTS);
  const rows = Array.from({ length: 8 }, () => ({
    order: random.below(10_000_000),
    state: random.of(['open', 'sent', 'delivered', 'returned']),
    total: random.below(100_000) / 100,
    note: random.of(sentences).slice(0, 40),
  }));
  const call = { query: random.of(sentences).slice(0, 60), limit: 8 };
  const answer = prose(random, 1_100);
  return {
    ...{
      id: `run-${number}`,
      agentId,
      threadId: `thread-${Math.floor(number / 3)}`,
      userId: `user-${random.below(20_000)}`,
    },
    ...{ name: random.of(['answer', 'summary', 'route']), tags: [random.of(['vip', 'trial', 'partner'])] },
    ...{ provider: 'openai', model: random.of(MODELS), status: random.below(50) === 0 ? 'failed' : 'completed' },
    usage: { input_tokens: 600 + random.below(900), output_tokens: 100 + random.below(400) },
    startedAt: new Date(startedAt).toISOString(),
    completedAt: new Date(startedAt + 500 + random.below(20_000)).toISOString(),
    messages: [
      { role: 'system', content: promptOf(random, agentId) },
      { role: 'user', content: prose(random, 500) },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: `call_${random.below(2 ** 31).toString(36)}`,
            type: 'function',
            function: { name: 'search_orders', arguments: JSON.stringify(call) },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call', content: JSON.stringify(rows) },
      { role: 'assistant', content: answer },
    ],
    output: answer.slice(0, 300),
  } as const;
}

export function someWord(random: Random): string {
  const words = random.of(sentences).match(/[A-Za-z]{5,}/g) ?? ['execution'];
  return random.of(words);
}
