import { AgentRuntimeError } from '../../../../clients/typescript/src/errors.ts';
import { answerOf, client } from '../../api/client.ts';
import { messageOf } from '../../api/errors.ts';
import type { Answering } from './state/tools/form.ts';

const PASSAGES = 5;

type Arguments = Record<string, unknown>;

/** Answers a call of a tool; the result is the text that the model gets. A failure is a result, too: models react to it. */
export async function runTool(answering: Answering, given: string): Promise<string> {
  let data: Arguments;
  try {
    data = given.trim() === '' ? {} : JSON.parse(given);
  } catch {
    return JSON.stringify({ error: 'The arguments are not JSON.' });
  }
  try {
    if (answering.kind === 'store') return await searched(answering.store, data);
    if (answering.kind === 'connector') return await executed(answering.connector, answering.resource, data);
  } catch (error) {
    return JSON.stringify({ error: messageOf(error) });
  }
  throw new Error('Only people answer this call.');
}

async function searched(name: string, { query }: Arguments): Promise<string> {
  const body = { query: String(query ?? ''), limit: PASSAGES };
  const path = '/api/v1/runtime/v1/vectors/stores/{name}/search';
  const { results } = await answerOf(client.POST(path, { params: { path: { name } }, body }));
  return JSON.stringify(results.map(({ source, text }, index) => ({ number: index + 1, source, text })));
}

async function executed(connector: string, resource: string, data: Arguments): Promise<string> {
  const path = '/api/v1/runtime/v1/connectors/{connector}';
  const {
    error,
    data: answer,
    response,
  } = await client.POST(path, {
    params: { path: { connector } },
    body: { resource, data },
  });
  if (response.ok) return JSON.stringify(answer?.data ?? null);
  const { message } = new AgentRuntimeError(response, error);
  return JSON.stringify({ error: message });
}
