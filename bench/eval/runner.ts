import type { Client } from '@modelcontextprotocol/client';
import type { ChatMessage } from '../../src/core/agents/chat/message.ts';
import type { ToolCall } from '../../src/core/agents/chat/provider.ts';
import type { FunctionTool } from '../../src/core/agents/chat/schema.ts';
import type { Chat, Said } from './chat.ts';
import type { Facts } from './facts.ts';
import { faultOf, type Held } from './score.ts';
import type { Pattern, Task } from './tasks/task.ts';
import type { Workspace } from './workspace.ts';

/** Answers of the model to one task. */
const MAX_TURNS = 20;

const ROLE = `You are the analyst of a support desk. Work with the tools alone, and ask nothing back: nobody answers.
When you are done, say so in at most three sentences. To a question, end with a line "Answer: " and nothing but the answer.`;

export interface TaskResult {
  task: string;
  passed: boolean;
  /** Why not; null when it passed. */
  fault: string | null;
  answer: string;
  calls: { name: string; arguments: string }[];
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null where the price is not known. */
  cost: number | null;
  seconds: number;
}

/** Runs the tasks in turn, so that whatever appears during a task was made by it. */
export async function* runTasks(
  tasks: readonly Task[],
  { workspace, facts, chat }: { workspace: Workspace; facts: Facts; chat: Chat },
): AsyncGenerator<TaskResult> {
  const { client, held } = workspace;
  const { tools: listed } = await client.listTools();
  const tools = listed.map(({ name, description, inputSchema }): FunctionTool => {
    return { type: 'function', function: { name, description, parameters: inputSchema } };
  });
  const instructions = `${client.getInstructions() ?? ''}\n\n${ROLE}`;
  let before: Held | undefined;
  for (const task of tasks) {
    if (task.holds) before ??= await held();
    const started = performance.now();
    const said: Said[] = [];
    const ask = async (messages: ChatMessage[]) => {
      const one = await chat({ instructions, messages, tools });
      said.push(one);
      return one;
    };
    const failure = await converse(typeof task.ask === 'string' ? task.ask : task.ask(facts), ask, client);
    const seconds = (performance.now() - started) / 1_000;
    const answer = said.at(-1)?.text ?? '';
    const after = before && (await held());
    const made = before && after ? difference(before, after) : null;
    before = after;
    const calls = said.flatMap((one) => one.calls.map((call) => call.function));
    const fault = failure ?? faultOf(task, facts, { answer, calls, made });
    const costs = said.map(({ cost }) => cost);
    yield {
      task: task.name,
      passed: fault === null,
      fault,
      answer,
      calls,
      inputTokens: total(said.map(({ usage }) => usage.inputTokens)),
      outputTokens: total(said.map(({ usage }) => usage.outputTokens)),
      cost: costs.includes(null) ? null : total(costs as number[]),
      seconds,
    };
  }
}

/** Null once the model calls no more tools; otherwise why it did not come to an end. */
async function converse(
  question: string,
  ask: (messages: ChatMessage[]) => Promise<Said>,
  client: Client,
): Promise<string | null> {
  const messages: ChatMessage[] = [{ role: 'user', content: question }];
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    let said: Said;
    try {
      said = await ask(messages);
    } catch (error) {
      return `the provider failed: ${(error as Error).message}`;
    }
    const { text, reasoning, calls } = said;
    if (calls.length === 0) return null;
    messages.push({
      role: 'assistant',
      content: text || null,
      tool_calls: calls as unknown as Record<string, unknown>[],
      ...(reasoning !== '' && { reasoning_content: reasoning }),
    });
    for (const call of calls) {
      const { name } = call.function;
      messages.push({ role: 'tool', tool_call_id: call.id, name, content: await resultOf(call, client) });
    }
  }
  return `no end after ${MAX_TURNS} turns`;
}

/** What hosts show a model: the structured content where there is one, otherwise the text. */
async function resultOf({ function: { name, arguments: text } }: ToolCall, client: Client): Promise<string> {
  try {
    const result = await client.callTool({ name, arguments: JSON.parse(text || '{}') });
    if (result.structuredContent) return JSON.stringify(result.structuredContent);
    return result.content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');
  } catch (error) {
    return `Error: ${(error as Error).message}`;
  }
}

function difference(before: Held, after: Held): Held {
  const changed = Object.entries(after).map(([noun, items]) => {
    const known = new Set(before[noun as keyof Held].map((item) => JSON.stringify(item)));
    return [noun, items.filter((item) => !known.has(JSON.stringify(item)))];
  });
  const left = new Set([...after.tabs, ...after.cards].map(({ id }) => id));
  const removed: Pattern[] = [...before.tabs, ...before.cards].filter(({ id }) => !left.has(id));
  return { ...(Object.fromEntries(changed) as Held), removed };
}

const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
